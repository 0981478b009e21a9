import { parseSync } from 'libpg-query'
import { distributedTables } from '../../src/timeseries/index.ts'
import { isNode, listOf, nodeOf, textOf } from './syntax.ts'
import type { Node } from './syntax.ts'

// Predicts from its syntax how Citus would route a statement, by the rules of docs/operation.md,
// "Several machines". Equated columns form one class. Distributed tables must be in one class by
// `series_id`, or be read on every node with an aggregate that can be merged from parts.

/** One item in the `from` clause, with its alias. */
type Source = {
  readonly name: string
  readonly alias: string
  readonly isSpread: boolean
  /** For a subquery: which inner column each of its output columns is. */
  readonly outputs: Outputs
  /** What a subquery reads, without what it looks up. */
  readonly holds: readonly Source[]
}

type Outputs = ReadonlyMap<string, Column>
type Column = string

type Place = 'top' | 'from' | 'lateral' | 'expression'

/** One `select`, or an equivalent, with the names that are visible in it. */
type Scope = {
  readonly place: Place
  readonly holder: Scope | undefined
  readonly outer: Scope | undefined
  readonly sources: Source[]
  readonly merge: 'none' | 'parts' | 'whole'
  /** Outer sources that this scope and its inner scopes refer to. */
  readonly taken: Set<Source>
}

type Routing = {
  readonly scopes: Scope[]
  readonly classes: Map<Column, Column>
  readonly fixed: Set<Column>
  readonly common: Map<string, Outputs>
  readonly findings: Set<string>
}

const spread: ReadonlySet<string> = new Set(distributedTables)
const key = 'series_id'

/**
 * Lists what keeps Citus from running a statement where the values are, as table, alias and reason.
 * Empty if nothing does, or if no distributed table is read.
 */
export function findingsOf(text: string): readonly string[] {
  const parsed: unknown = parseSync(text)
  const routing: Routing = {
    ...{ scopes: [], classes: new Map(), fixed: new Set(), common: new Map(), findings: new Set() },
  }
  for (const statement of listOf(parsed, 'stmts')) readStatement(routing, nodeOf(statement, 'stmt'))
  for (const scope of routing.scopes) judge(routing, scope)
  return [...routing.findings].sort()
}

function readStatement(routing: Routing, statement: Node, place: Place = 'top'): Outputs {
  const [kind = '', body] = Object.entries(statement)[0] ?? []
  const node = isNode(body) ? body : {}
  if (kind === 'SelectStmt') return readSelect(routing, node, { place })
  if (kind !== 'InsertStmt' && kind !== 'UpdateStmt' && kind !== 'DeleteStmt') return new Map()
  readCommon(routing, node)
  const scope = openScope(routing, { place }, 'none')
  addTable(routing, scope, nodeOf(node, 'relation'))
  for (const item of [...listOf(node, 'usingClause'), ...listOf(node, 'fromClause')])
    addItem(routing, scope, item)
  readCondition(routing, scope, node['whereClause'])
  const select = nodeOf(node, 'selectStmt', 'SelectStmt')
  if (kind === 'InsertStmt') {
    checkInsert(routing, scope, node)
    if (Object.keys(select).length > 0) readSelect(routing, select, { place: 'from' })
    // Inserted rows contain their own key.
    for (const source of scope.sources) routing.fixed.add(columnOf(source, key))
  }
  return outputsOf(scope, listOf(node, 'returningClause', 'exprs'))
}

function checkInsert(routing: Routing, { sources }: Scope, node: Node): void {
  const [source] = sources
  if (source?.isSpread !== true) return
  const columns = listOf(node, 'cols').map((column) => textOf(column, 'ResTarget', 'name'))
  const isAll = columns.length === 0
  const conflict = nodeOf(node, 'onConflictClause')
  const inferred = listOf(conflict, 'infer', 'indexElems').map((one) =>
    textOf(one, 'IndexElem', 'name'),
  )
  if (!isAll && !columns.includes(key)) report(routing, source, 'inserted without its series')
  if (Object.keys(conflict).length > 0 && !inferred.includes(key))
    report(routing, source, 'conflicts on something else than its series')
}

type Placed = Pick<Scope, 'place'> & Partial<Pick<Scope, 'holder' | 'outer'>>

function openScope(routing: Routing, placed: Placed, merge: Scope['merge']): Scope {
  const { place, holder, outer } = placed
  const scope: Scope = { place, holder, outer, merge, sources: [], taken: new Set() }
  routing.scopes.push(scope)
  return scope
}

function readCommon(routing: Routing, node: Node): void {
  for (const one of listOf(node, 'withClause', 'ctes')) {
    const name = textOf(one, 'CommonTableExpr', 'ctename')
    const query = nodeOf(one, 'CommonTableExpr', 'ctequery')
    routing.common.set(name, new Map())
    routing.common.set(name, readStatement(routing, query, 'from'))
  }
}

function readSelect(routing: Routing, node: Node, placed: Placed): Outputs {
  readCommon(routing, node)
  if (textOf(node, 'op') !== 'SETOP_NONE') {
    const holder = openScope(routing, placed, mergeOf(node))
    const branch: Placed = { ...placed, place: 'from', holder }
    const left = readSelect(routing, nodeOf(node, 'larg'), branch)
    const right = readSelect(routing, nodeOf(node, 'rarg'), branch)
    const [one, other] = [left.get(key), right.get(key)]
    if (one !== undefined && other !== undefined) unite(routing, one, other)
    return left
  }
  const scope = openScope(routing, placed, mergeOf(node))
  for (const item of listOf(node, 'fromClause')) addItem(routing, scope, item)
  readCondition(routing, scope, node['whereClause'])
  const rest = ['targetList', 'groupClause', 'havingClause', 'sortClause', 'valuesLists']
  for (const part of rest) readExpression(routing, scope, node[part])
  const locked = listOf(node, 'lockingClause').length > 0
  for (const source of scope.sources)
    if (locked && source.isSpread) report(routing, source, 'locked row by row')
  return outputsOf(scope, listOf(node, 'targetList'))
}

/** Aggregates that nodes can compute in part. Others need all rows in one place. */
const fromParts = new Set([
  ...['count', 'sum', 'min', 'max', 'avg', 'bool_or', 'bool_and', 'array_agg', 'json_agg'],
  ...['jsonb_agg', 'json_object_agg', 'jsonb_object_agg', 'stddev_samp', 'var_samp'],
])
const whole = new Set(['string_agg', 'percentile_disc', 'percentile_cont', 'mode'])

function mergeOf(node: Node): Scope['merge'] {
  const isCut = node['limitCount'] !== undefined || node['limitOffset'] !== undefined
  if (isCut || listOf(node, 'distinctClause').length > 0) return 'whole'
  const calls = callsIn([node['targetList'], node['havingClause']])
  const isWhole = (call: Node) =>
    call['over'] !== undefined || call['agg_distinct'] === true || whole.has(functionOf(call))
  if (calls.some(isWhole)) return 'whole'
  const isGrouped = listOf(node, 'groupClause').length > 0
  return isGrouped || calls.some((call) => fromParts.has(functionOf(call))) ? 'parts' : 'none'
}

/** Returns the function calls, except those in subqueries. */
function callsIn(value: unknown): readonly Node[] {
  if (Array.isArray(value)) return value.flatMap(callsIn)
  if (!isNode(value)) return []
  return Object.entries(value).flatMap(([kind, inner]) => {
    if (kind === 'SubLink') return []
    const own = kind === 'FuncCall' && isNode(inner) ? [inner] : []
    return [...own, ...callsIn(inner)]
  })
}

function functionOf(call: Node): string {
  return textOf(listOf(call, 'funcname').at(-1), 'String', 'sval')
}

function addTable(routing: Routing, scope: Scope, range: Node): void {
  const name = textOf(range, 'relname')
  const alias = textOf(range, 'alias', 'aliasname') || name
  const common = range['schemaname'] === undefined ? routing.common.get(name) : undefined
  const isSpread = common === undefined && spread.has(name)
  scope.sources.push({ name, alias, isSpread, outputs: common ?? new Map(), holds: [] })
}

function addItem(routing: Routing, scope: Scope, item: unknown): void {
  const [kind = '', body] = isNode(item) ? (Object.entries(item)[0] ?? []) : []
  const node = isNode(body) ? body : {}
  const alias = textOf(node, 'alias', 'aliasname')
  if (kind === 'RangeVar') addTable(routing, scope, node)
  else if (kind === 'RangeSubselect') {
    const isLateral = node['lateral'] === true
    const start = routing.scopes.length
    const outputs = readSelect(routing, nodeOf(node, 'subquery', 'SelectStmt'), {
      place: isLateral ? 'lateral' : 'from',
      ...{ holder: scope, outer: isLateral ? scope : scope.outer },
    })
    const above = new Set(chainOf(scope))
    const inside = routing.scopes
      .slice(start)
      .filter((one) => chainOf(one).every((at) => above.has(at) || at.place !== 'expression'))
    const holds = inside.flatMap(({ sources }) => sources)
    scope.sources.push({ name: '', alias, isSpread: false, outputs, holds })
  } else if (kind === 'JoinExpr') addJoin(routing, scope, node)
  else {
    readExpression(routing, scope, node)
    scope.sources.push({ name: '', alias, isSpread: false, outputs: new Map(), holds: [] })
  }
}

function addJoin(routing: Routing, scope: Scope, node: Node): void {
  const start = scope.sources.length
  addItem(routing, scope, node['larg'])
  const middle = scope.sources.length
  addItem(routing, scope, node['rarg'])
  const [left, right] = [scope.sources.slice(start, middle), scope.sources.slice(middle)]
  for (const name of listOf(node, 'usingClause').map((one) => textOf(one, 'String', 'sval')))
    for (const one of left)
      for (const other of right) unite(routing, columnOf(one, name), columnOf(other, name))
  readCondition(routing, scope, node['quals'])
  const isOuter = textOf(node, 'jointype') !== 'JOIN_INNER'
  if (!isOuter || left.some(({ isSpread }) => isSpread)) return
  for (const source of right)
    if (source.isSpread) report(routing, source, 'optional beside what is on every node')
}

/** Collects what a condition guarantees: equal columns, and columns with a given value. */
function readCondition(routing: Routing, scope: Scope, condition: unknown): void {
  const [kind = '', body] = isNode(condition) ? (Object.entries(condition)[0] ?? []) : []
  const node = isNode(body) ? body : {}
  if (kind === 'BoolExpr' && node['boolop'] === 'AND_EXPR') {
    for (const part of listOf(node, 'args')) readCondition(routing, scope, part)
    return
  }
  if (kind === 'BooleanTest' && node['booltesttype'] === 'IS_TRUE') {
    readCondition(routing, scope, node['arg'])
    return
  }
  readExpression(routing, scope, condition)
  if (kind === 'SubLink' && node['subLinkType'] === 'ANY_SUBLINK')
    fix(routing, columnIn(scope, node['testexpr']))
  const isEqual = textOf(listOf(node, 'name')[0], 'String', 'sval') === '='
  if (kind !== 'A_Expr' || !isEqual) return
  const [left, right] = [columnIn(scope, node['lexpr']), columnIn(scope, node['rexpr'])]
  if (left !== undefined && right !== undefined) unite(routing, left, right)
  else if (left !== undefined && !hasColumns(node['rexpr'])) fix(routing, left)
  else if (right !== undefined && !hasColumns(node['lexpr'])) fix(routing, right)
}

/** Reads subqueries, and what they and the expression take from outer scopes. */
function readExpression(routing: Routing, scope: Scope, value: unknown): void {
  if (Array.isArray(value)) {
    for (const one of value) readExpression(routing, scope, one)
    return
  }
  if (!isNode(value)) return
  for (const [kind, inner] of Object.entries(value)) {
    if (kind === 'ColumnRef') columnIn(scope, value)
    else if (kind === 'SelectStmt' && isNode(inner))
      readSelect(routing, inner, { place: 'expression', holder: scope, outer: scope })
    else readExpression(routing, scope, inner)
  }
}

/** Returns the column that an expression is, with or without a cast, or undefined. */
function columnIn(scope: Scope, expression: unknown): Column | undefined {
  if (!isNode(expression)) return undefined
  const cast = nodeOf(expression, 'TypeCast')['arg']
  if (cast !== undefined) return columnIn(scope, cast)
  const fields = listOf(expression, 'ColumnRef', 'fields').map((one) =>
    textOf(one, 'String', 'sval'),
  )
  const [first, second] = fields
  if (first === undefined) return undefined
  const owns = ({ alias, isSpread, outputs }: Source) =>
    second === undefined ? outputs.has(first) || (isSpread && first === key) : alias === first
  const passed: Scope[] = []
  for (let at: Scope | undefined = scope; at !== undefined; at = at.outer) {
    const source = at.sources.findLast(owns)
    if (source !== undefined) {
      for (const one of passed) one.taken.add(source)
      return columnOf(source, second ?? first)
    }
    passed.push(at)
  }
  return undefined
}

const numbers = new WeakMap<Source, number>()
let sourceCount = 0

function columnOf(source: Source, name: string): Column {
  const number = numbers.get(source) ?? sourceCount++
  numbers.set(source, number)
  return source.outputs.get(name) ?? `${String(number)}.${name}`
}

function outputsOf({ sources }: Scope, targets: readonly unknown[]): Outputs {
  const outputs = new Map<string, Column>()
  const addAll = (source: Source) => {
    for (const [name, column] of source.outputs) outputs.set(name, column)
    if (source.isSpread) outputs.set(key, columnOf(source, key))
  }
  for (const target of targets) {
    const fields = listOf(target, 'ResTarget', 'val', 'ColumnRef', 'fields')
    const names = fields.map((one) => textOf(one, 'String', 'sval'))
    const [first = '', second] = names
    if (isNode(fields.at(-1)) && 'A_Star' in nodeOf(fields.at(-1))) {
      for (const source of sources)
        if (fields.length === 1 || source.alias === first) addAll(source)
      continue
    }
    const name = second ?? first
    const owner = sources.findLast(({ alias, isSpread, outputs: inner }) =>
      second === undefined ? inner.has(name) || (isSpread && name === key) : alias === first,
    )
    if (owner !== undefined)
      outputs.set(textOf(target, 'ResTarget', 'name') || name, columnOf(owner, name))
  }
  return outputs
}

function hasColumns(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(hasColumns)
  if (!isNode(value)) return false
  // To the outer query, the result of a subquery is a given value.
  const { SubLink: _subquery, ...rest } = value
  return Object.entries(rest).some(([kind, inner]) => kind === 'ColumnRef' || hasColumns(inner))
}

function classOf({ classes }: Routing, column: Column): Column {
  let found = column
  for (let next = classes.get(found); next !== undefined; next = classes.get(found)) found = next
  return found
}

function unite(routing: Routing, one: Column, other: Column): void {
  const [first, second] = [classOf(routing, one), classOf(routing, other)]
  if (first !== second) routing.classes.set(first, second)
}

function fix({ fixed }: Routing, column: Column | undefined): void {
  if (column !== undefined) fixed.add(column)
}

function report({ findings }: Routing, { name, alias }: Source, why: string): void {
  findings.add(`${name} as ${alias}: ${why}`)
}

/** Returns a `select` followed by those that contain it, up to the statement. */
function chainOf(scope: Scope): readonly Scope[] {
  return scope.holder === undefined ? [scope] : [scope, ...chainOf(scope.holder)]
}

function judge(routing: Routing, scope: Scope): void {
  const chain = chainOf(scope)
  const around = chain.slice(1).flatMap(({ sources }) => sources)
  const others = around
    .flatMap((source) => [source, ...source.holds])
    .filter((source) => !scope.sources.includes(source))
  const own = scope.sources.filter(({ isSpread }) => isSpread)
  for (const source of own) {
    const column = columnOf(source, key)
    const same = classOf(routing, column)
    const isSame = (other: Source) =>
      other.isSpread && classOf(routing, columnOf(other, key)) === same
    if (!own.every(isSame)) report(routing, source, 'not joined by its series')
    const isAlone = !others.some(isSame) && !routing.fixed.has(column)
    const taken = isAlone ? chain.flatMap((one) => [...one.taken]) : takenForMerge(chain)
    const names = [
      ...new Set(taken.map(({ name, alias }) => (name ? `${name} as ${alias}` : 'rows'))),
    ]
    if (names.length > 0)
      report(routing, source, `looked up for each of ${names.sort().join(', ')}`)
    else if (isAlone && !isTied(routing, column)) judgeScattered(routing, source, chain)
  }
}

/**
 * Returns the outer sources of a limit or an aggregate inside `lateral`; empty if one of them is
 * distributed, because only then does Citus accept it.
 */
function takenForMerge(chain: readonly Scope[]): readonly Source[] {
  const inside = chain.slice(0, chain.findIndex(({ place }) => place === 'lateral') + 1)
  if (inside.every(({ merge }) => merge === 'none')) return []
  const own = new Set(inside.flatMap(({ sources }) => sources))
  const taken = inside.flatMap((scope) => [...scope.taken]).filter((source) => !own.has(source))
  return taken.some(({ isSpread, holds }) => isSpread || holds.some((one) => one.isSpread))
    ? []
    : taken
}

function isTied(routing: Routing, column: Column): boolean {
  const same = classOf(routing, column)
  const isSame = (other: Column) => other !== column && classOf(routing, other) === same
  return [...routing.fixed, ...routing.classes.keys(), ...routing.classes.values()].some(isSame)
}

function judgeScattered(routing: Routing, source: Source, chain: readonly Scope[]): void {
  const merge = chain.find((scope) => scope.merge !== 'none')?.merge ?? 'none'
  if (merge === 'whole') report(routing, source, 'read on every node and put in order')
  if (merge === 'none') report(routing, source, 'read on every node row by row')
}

/** The `sql` tag: the only way to make a statement. Values become `$n`, never SQL text. */

/** A fragment or statement. Only this module can make one, so plain text can never stand in for it. */
export class Sql {
  readonly #strings: readonly string[]
  readonly #values: readonly unknown[]
  #text: string | undefined

  private constructor(strings: readonly string[], values: readonly unknown[]) {
    this.#strings = strings
    this.#values = values
  }

  /** The statement with `$1…$n` where values stand. */
  get text(): string {
    this.#text ??= this.#strings.reduce((text, part, index) => `${text}$${String(index)}${part}`)
    return this.#text
  }

  get parts(): readonly string[] {
    return this.#strings
  }

  /** The bound values, in the order of their placeholders. */
  get values(): readonly unknown[] {
    return this.#values
  }

  /** The same statement with another value in the place of this one. */
  replacing(placeholder: unknown, value: unknown): Sql {
    const values = this.#values.map((bound) => (bound === placeholder ? value : bound))
    const statement = new Sql(this.#strings, values)
    statement.#text = this.text
    return statement
  }

  /** Flattens nested fragments: their strings are spliced, their values appended. */
  static fromTemplate(parts: readonly string[], values: readonly unknown[]): Sql {
    const strings = [parts[0] ?? '']
    const bound: unknown[] = []
    const append = (text: string) => {
      strings[strings.length - 1] = (strings.at(-1) ?? '') + text
    }
    values.forEach((value, index) => {
      if (value === undefined) throw new TypeError('undefined cannot be bound; say null')
      if (value instanceof Sql) {
        append(value.#strings[0] ?? '')
        value.#values.forEach((inner, position) => {
          bound.push(inner)
          strings.push(value.#strings[position + 1] ?? '')
        })
      } else {
        bound.push(value)
        strings.push('')
      }
      append(parts[index + 1] ?? '')
    })
    return new Sql(strings, bound)
  }

  static fromIdentifier(name: string): Sql {
    return new Sql([`"${name.replaceAll('"', '""')}"`], [])
  }

  static fromLiteral(text: string): Sql {
    if (!/^[\w.*$]*$/.test(text)) throw new TypeError(`${text} is not the name of a field`)
    return new Sql([`'${text}'`], [])
  }
}

/** `` sql`select ${value} from ${fragment}` ``: values are bound, `Sql` fragments are spliced. */
export function sql(parts: TemplateStringsArray, ...values: readonly unknown[]): Sql {
  return Sql.fromTemplate(parts, values)
}

/** A quoted name of a table or column. The name comes from a catalogue, never from a caller. */
export function identifier(name: string): Sql {
  return Sql.fromIdentifier(name)
}

/**
 * A quoted text, for definitions of columns and indexes: PostgreSQL takes no bound values there. It is
 * the name of a member or a path of such names from a catalogue, never from a caller.
 * @throws TypeError for anything else
 */
export function literal(text: string): Sql {
  return Sql.fromLiteral(text)
}

/** Nothing at all: the neutral element of splicing. */
export const empty = Sql.fromTemplate([''], [])

const separators = { ', ': sql`, `, ' and ': sql` and `, ' or ': sql` or ` }

/** Joins fragments. Only the three separators that SQL lists need are accepted. */
export function join(fragments: readonly Sql[], separator: keyof typeof separators): Sql {
  return fragments.reduce(
    (joined, fragment, index) =>
      index === 0 ? fragment : sql`${joined}${separators[separator]}${fragment}`,
    empty,
  )
}

/** All conditions at once; no condition means everything. */
export function all(conditions: readonly Sql[]): Sql {
  return conditions.length === 0 ? sql`true` : sql`(${join(conditions, ' and ')})`
}

/** Any of the conditions; no condition means nothing. */
export function any(conditions: readonly Sql[]): Sql {
  return conditions.length === 0 ? sql`false` : sql`(${join(conditions, ' or ')})`
}

/**
 * Hides a bound value from the planner, so one plan serves all values. Otherwise PostgreSQL plans a prepared statement
 * again for each of them where that looks cheaper, which may take longer than to run it.
 */
export function unestimated(value: Sql): Sql {
  return sql`(select ${value})`
}

/** The `sql` tag: the only way to build a statement. Values become `$n`, never SQL text. */

/** A fragment or statement. Only this module can create one, so plain text cannot replace it. */
export class Sql {
  readonly #strings: readonly string[]
  readonly #values: readonly unknown[]
  #text: string | undefined

  private constructor(strings: readonly string[], values: readonly unknown[]) {
    this.#strings = strings
    this.#values = values
  }

  /** The statement with `$1…$n` in place of the values. */
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

  /** Returns the same statement with one bound value replaced by another. */
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
      if (value === undefined) throw new TypeError('undefined cannot be bound; bind null instead')
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

/**
 * Quotes the name of a table or column. The name must come from a catalogue, never from a caller.
 */
export function identifier(name: string): Sql {
  return Sql.fromIdentifier(name)
}

/**
 * Quotes a text for definitions of columns and indexes, where PostgreSQL accepts no bound values.
 * It must be the name of a field, or a path of such names, from a catalogue and never from a
 * caller.
 * @throws TypeError for any other text
 */
export function literal(text: string): Sql {
  return Sql.fromLiteral(text)
}

/** An empty fragment, the neutral element of splicing. */
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

/** Combines conditions with `and`. An empty list is true. */
export function all(conditions: readonly Sql[]): Sql {
  return conditions.length === 0 ? sql`true` : sql`(${join(conditions, ' and ')})`
}

/** Combines conditions with `or`. An empty list is false. */
export function any(conditions: readonly Sql[]): Sql {
  return conditions.length === 0 ? sql`false` : sql`(${join(conditions, ' or ')})`
}

/**
 * Hides a bound value from the planner, so that one plan serves all values. Otherwise PostgreSQL
 * plans a prepared statement again for each value where that looks cheaper, which may take longer
 * than running it.
 */
export function unestimated(value: Sql): Sql {
  return sql`(select ${value})`
}

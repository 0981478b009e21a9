import { sql } from '../../sql/index.ts'
import type { Transaction } from '../../storage/index.ts'

/** Who collected the data of a message, and from where. */
export type Provenance = {
  readonly name: string
  readonly version?: string | null | undefined
  readonly lineage: string
}

/** The id of a provenance, made if it is new; null for none. */
export async function storeProvenance(
  tx: Transaction,
  provenance: Provenance | null | undefined,
): Promise<number | null> {
  if (provenance === null || provenance === undefined) return null
  const known = await findProvenance(tx, provenance)
  if (known !== null) return known
  const { name, version = null, lineage } = provenance
  await tx.execute(sql`
    insert into provenance (name, version, lineage) values (${name}, ${version}, ${lineage})
    on conflict do nothing`)
  return findProvenance(tx, provenance)
}

async function findProvenance(tx: Transaction, provenance: Provenance): Promise<number | null> {
  const { name, version = null, lineage } = provenance
  const [row] = await tx.query<{ id: number }>(sql`
    select id from provenance
    where name = ${name} and version is not distinct from ${version} and lineage = ${lineage}`)
  return row?.id ?? null
}

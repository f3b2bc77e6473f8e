import { pageMax } from '@hither/contract/runtime/pages.ts'

/** The query of a page. */
export interface After<Id> {
  before?: Id
}

/** Loads all pages of a list. A row that moved up meanwhile may come twice and is returned once, as it was read last. */
export async function allPages<Row, Id extends string>(
  load: (page: After<Id>) => Promise<Row[]>,
  idOf: (row: Row) => Id,
): Promise<Row[]> {
  const rows = new Map<Id, Row>()
  let page = await load({})
  while (true) {
    for (const row of page) rows.set(idOf(row), row)
    const last = page.at(-1)
    if (last === undefined || page.length < pageMax) return [...rows.values()]
    page = await load({ before: idOf(last) })
  }
}

import { pageMax } from '@hither/contract/runtime/pages.ts'
import { expect, it } from 'vitest'
import { type After, allPages } from './all-pages.ts'

const rows = Array.from({ length: 2 * pageMax + 5 }, (_, index) => ({ id: `${index}` }))

it('loads every page of a list, and a row that moved up meanwhile once', async () => {
  const asked: After<string>[] = []
  const load = async (query: After<string>) => {
    asked.push(query)
    const start = query.before === undefined ? 0 : rows.findIndex(({ id }) => id === query.before) + 1
    const page = rows.slice(start, start + pageMax)
    return start === pageMax ? [{ id: '7' }, ...page.slice(1)] : page
  }
  const all = await allPages(load, ({ id }) => id)
  expect(asked).toEqual([{}, { before: '99' }, { before: '199' }])
  expect(all.map(({ id }) => id)).toEqual(rows.map(({ id }) => id).filter((id) => id !== '100'))
})

import { getMe } from '@hither/contract/users.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startServer, type TestServer } from '../../test/harness.ts'

let server: TestServer

beforeAll(async () => {
  server = await startServer()
})

afterAll(() => server.close())

it('of two languages that devices choose at the same moment, every device reads the same one', async () => {
  const ann = await server.signUp('ann')
  for (let round = 0; round < 10; round++) {
    const answers = await Promise.all(
      ['es', 'fr'].map((locale) => server.request('PATCH', `/api/users/${ann.id}`, { body: { locale }, as: ann })),
    )
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    const [{ locale } = { locale: null }] = await server.db<{ locale: string | null }[]>`
      select locale from users where id = ${ann.id}
    `
    expect(['es', 'fr']).toContain(locale)
    for (let device = 0; device < 2; device++) expect((await server.call(getMe, {}, ann)).body.locale).toBe(locale)
  }
})

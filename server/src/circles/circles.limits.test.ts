import { changeCircle, createCircle } from '@hither/contract/circles.ts'
import { expect, it } from 'vitest'
import { startServer } from '../../test/harness.ts'
import { unknownCircleId } from './harness.ts'

it('a person may create 60 circles and change circles 60 times in an hour, also if the calls are refused', async () => {
  const server = await startServer({ RATE_LIMITS: 'on' })
  try {
    const [ann, bob] = [await server.signUp('ann'), await server.signUp('bob')]
    await server.befriend(ann, bob)
    const create = (as = ann) => server.call(createCircle, { body: { name: 'Work', member_ids: [bob.id] } }, as)
    const change = () => server.call(changeCircle, { params: { id: unknownCircleId }, body: { name: 'Band' } }, ann)
    expect((await create()).status).toBe(201)
    for (const [left, call, status] of [[59, create, 409] as const, [60, change, 404] as const]) {
      for (let count = 0; count < left; count++) expect((await call()).status).toBe(status)
      expect((await call()).status).toBe(429)
    }
    expect((await create(bob)).status).toBe(422)
    // Invalid fields are refused before the limit.
    const noName = { body: { name: ' ', member_ids: [bob.id] } }
    expect((await server.call(createCircle, noName, ann)).status).toBe(422)
    const noEmoji = { params: { id: unknownCircleId }, body: { emoji: 'a' } }
    expect((await server.call(changeCircle, noEmoji, ann)).status).toBe(422)
  } finally {
    await server.close()
  }
})

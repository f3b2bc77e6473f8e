import { acceptFriendLink, createFriendLink, type NewFriendLink } from '@hither/contract/friend-links.ts'
import { expect } from 'vitest'
import type { Person, TestServer } from '../../test/harness.ts'

/** Creates a friend link. Also returns its code. */
export async function makeLink(server: TestServer, by: Person, link: Partial<NewFriendLink> = {}) {
  const { status, body } = await server.call(createFriendLink, { body: { kind: 'link', ...link } }, by)
  expect(status).toBe(201)
  return { ...body, code: body.url.split('#')[1] ?? '' }
}

export function accept(server: TestServer, code: string, by: Person) {
  return server.call(acceptFriendLink, { body: { code } }, by)
}

export const invalid = {
  status: 404,
  body: { detail: 'This link is no longer valid. Ask your friend for a new one.', code: 'friend_link_invalid' },
} as const

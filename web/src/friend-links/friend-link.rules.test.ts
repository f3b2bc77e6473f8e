import type { FriendLinkPreview } from '@hither/contract/friend-links.ts'
import type { UserId } from '@hither/contract/ids.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  codeOf,
  countdownText,
  lineOf,
  newLinkAdmitsSignup,
  readFriendLink,
  stateOf,
  unreachableAddress,
} from './friend-link.rules.ts'

const origin = 'https://hither.example.org'
const code = 'aB3_-xaB3_-xaB3_-xaB3_'

test('with invitations only, a link that is not used up says whether a new one admits a sign-up', () => {
  const [usedUp, admits, refuses] = [
    { uses_left: 0, admits_signup: false },
    { uses_left: 1, admits_signup: true },
    { uses_left: 5, admits_signup: false },
  ]
  expect([newLinkAdmitsSignup('open', undefined), newLinkAdmitsSignup('closed', [admits])]).toEqual([true, false])
  expect([newLinkAdmitsSignup('invite', [usedUp, admits]), newLinkAdmitsSignup('invite', [usedUp, refuses])]).toEqual([
    true,
    false,
  ])
  for (const links of [undefined, [], [usedUp]]) expect(newLinkAdmitsSignup('invite', links)).toBeNull()
})

describe('a scanned or pasted text', () => {
  test.each([
    `${origin}/add#${code}`,
    `${origin}/add/#${code}`,
    `  ${origin}/add#${code}\n`,
    `HTTPS://HITHER.example.ORG/add#${code}`,
    `${origin}/add?utm_source=elsewhere#${code}`,
    `${origin}/add#${code}.AAAA`,
    `${origin}/add#${code}.`,
  ])('%j is a friend link of this server, and its suffix is ignored', (text) => {
    expect(readFriendLink(text, origin)).toEqual({ kind: 'code', code })
  })

  test('names the host of another server', () => {
    expect(readFriendLink(`https://friends.example.org/add#${code}`, origin)).toEqual({
      kind: 'foreign',
      host: 'friends.example.org',
    })
    expect(readFriendLink(`https://hither.example.org:8443/add#${code}`, origin)).toMatchObject({ kind: 'foreign' })
  })

  test.each([
    '',
    'sam',
    code,
    `#${code}`,
    `${origin}/add`,
    `${origin}/add#short`,
    `${origin}/add#${code}x`,
    `${origin}/add#${code}.${'A'.repeat(129)}`,
    `${origin}/pins#${code}`,
    `${origin}/add/x#${code}`,
    `https://ann:secret@hither.example.org/add#${code}`,
    `javascript:alert('${origin}/add#${code}')`,
    'WIFI:T:WPA;S:home;P:secret;;',
    'https://example.org/menu',
  ])('%j is no friend link', (text) => {
    expect(readFriendLink(text, origin)).toEqual({ kind: 'other' })
  })

  test('never gives anything but a code of 22 characters', () => {
    fc.assert(
      fc.property(fc.string(), fc.webFragments(), (noise, fragment) => {
        for (const text of [noise, `${origin}/add#${fragment}`, `${origin}/add#${code}${noise}`]) {
          const link = readFriendLink(text, origin)
          if (link.kind === 'code') expect(link.code).toMatch(/^[\w-]{22}$/)
        }
      }),
    )
  })
})

test.each([
  [code, code],
  [`${code}.AAAA`, code],
  ['', null],
  [`${code}.é`, null],
])('the code of the fragment %j is %j', (fragment, expected) => {
  expect(codeOf(fragment)).toBe(expected)
})

const preview = (requires_approval: boolean, relation?: FriendLinkPreview['relation']): FriendLinkPreview => ({
  username: 'sam',
  requires_approval,
  admits_signup: true,
  expires_at: '2026-11-22T12:00:00.000Z',
  ...(relation && { relation, user_id: '019a0000-0000-7000-8000-000000000001' as UserId, has_image: false }),
})

test.each([
  [false, undefined, 'visitor'],
  [true, undefined, 'visitor'],
  [false, 'own', 'own'],
  [false, 'friends', 'friends'],
  [true, 'request_sent', 'waiting'],
  [false, 'request_sent', 'ready'],
  [true, 'request_received', 'ready'],
  [true, 'none', 'ready'],
] as const)('with approval %j and the relation %j the screen is %j', (approval, relation, kind) => {
  expect(stateOf(preview(approval, relation)).kind).toBe(kind)
})

test.each([
  [false, 'none', "You'll be friends right away."],
  [true, 'none', 'sam will get a friend request from you.'],
  [true, undefined, 'sam will get a friend request from you.'],
  [true, 'request_received', "You'll be friends right away."],
] as const)('with approval %j and the relation %j the line is %j', (approval, relation, line) => {
  expect(lineOf(preview(approval, relation))).toBe(line)
})

test.each([
  [600, '10:00'],
  [572, '9:32'],
  [30, '0:30'],
  [5, '0:05'],
])('%i seconds are shown as %s', (seconds, text) => {
  expect(countdownText(seconds)).toBe(text)
})

test.each([
  ['http://localhost:3000', 'http://localhost:3000', 'http://localhost:3000'],
  ['http://localhost:3000', undefined, 'http://localhost:3000'],
  ['http://10.0.0.2:3000', 'https://hither.example.org', 'http://10.0.0.2:3000'],
  ['https://hither.example.org', 'http://localhost:3000', 'http://localhost:3000'],
  ['https://hither.example.org', undefined, null],
  ['https://hither.example.org', 'https://hither.example.org', null],
])('at %s with PUBLIC_URL %s friends cannot open %s', (origin, publicUrl, address) => {
  expect(unreachableAddress(origin, publicUrl)).toBe(address)
})

import { emailKeyOf, isEmailAddress, usernameKeyOf } from '@hither/contract/runtime/identifiers.ts'
import { describe, expect, it } from 'vitest'

describe('the key of an address', () => {
  it.each([
    [['ivan@kiosk.example', 'IVAN@Kiosk.Example']],
    [
      [
        'eva@m\u00fcnchen.example',
        'Eva@M\u00dcNCHEN.example',
        'eva@mu\u0308nchen.example',
        'eva@XN--MNCHEN-3ya.example',
      ],
    ],
    [['j\u00f6s@example.org', 'jo\u0308s@example.org']],
    [['a@\u4f8b\u5b50.example', 'a@xn--fsqu00a.example']],
  ])('is the same for all spellings: %j', (spellings) => {
    expect(new Set(spellings.map(emailKeyOf)).size).toBe(1)
  })

  it.each([
    [['ivan@kiosk.example', 'ivan@k\u0130osk.example', '\u0130van@kiosk.example', '\u0131van@kiosk.example']],
    [['kim@kiosk.example', '\u212aim@kiosk.example', 'kim@\u212aiosk.example', 'kim@\uff4biosk.example']],
    [['a@stra\u00dfe.example', 'a@strasse.example', 'a@STRA\u1e9eE.example.org']],
    [['\u03c3@example.org', '\u03c2@example.org', '\u03a3@example.org']],
    [['a@0x7f.1', 'a@127.0.0.1', 'a@ex%61mple.org', 'a@example.org', 'a@b@example.org', 'example.org']],
    [['jos\u00e9@example.org', 'jose@example.org', 'j.ose@example.org', 'jose+x@example.org']],
  ])('is another one for each mailbox: %j', (addresses) => {
    expect(new Set(addresses.map(emailKeyOf)).size).toBe(addresses.length)
  })
})

it('the key of a username ignores the case of its letters, and no other difference', () => {
  expect(usernameKeyOf('Sam_K.-9')).toBe('sam_k.-9')
  expect(new Set(['kim', '\u212aim', 'k\u0130m', 'k\u0131m', 'k.im'].map(usernameKeyOf)).size).toBe(5)
})

describe('an address', () => {
  it.each([
    'ann@example.org',
    "o'neil+hither@mail.example.co",
    'a@x.io',
    'j\u00f6s\u00e9@example.org',
    '\u7528\u6237@\u4f8b\u5b50.\u516c\u53f8',
    'a@xn--mnchen-3ya.example',
  ])('can get mail: %s', (email) => {
    expect(isEmailAddress(email)).toBe(true)
  })

  it.each([
    ...['', '@example.org', 'bob@', 'bob', 'bob@localhost', 'bob@b@example.org', 'bob smith@example.org'],
    ...[
      'a>b@example.org',
      'a<b@example.org',
      '"bob"@example.org',
      'a,b@example.org',
      'a;b@example.org',
      '(a)b@example.org',
    ],
    ...[
      'b..ob@example.org',
      '.bob@example.org',
      'bob.@example.org',
      'bob@example..org',
      'bob@.example.org',
      'bob@example.org.',
    ],
    ...[
      'bob@ex_ample.org',
      'bob@-example.org',
      'bob@example-.org',
      'bob@exam ple.org',
      'bob@[192.0.2.1]',
      'bob@192.0.2.1',
    ],
    ...[
      'bob\u200b@example.org',
      'bob\u0085x@example.org',
      'bob\u202e@example.org',
      'bob\u00ad@example.org',
      'bob\u3164@example.org',
    ],
    ...[
      'bob@exa\u200bmple.org',
      'bob@exa\u00admple.org',
      'bob\n@example.org',
      'bob@example.org\r\nX: y',
      'bob\0@example.org',
    ],
    ...['\uff42ob@example.org', 'bob@\uff45xample.org', 'bob@\u212aiosk.example', 'bob@ex\ufb01.org'],
    ...[
      `${'b'.repeat(65)}@example.org`,
      `bob@${'e'.repeat(64)}.org`,
      `bob@${'\u00fc'.repeat(60)}.org`,
      `b@${'e.'.repeat(130)}org`,
    ],
  ])('can get none: %j', (email) => {
    expect(isEmailAddress(email)).toBe(false)
  })
})

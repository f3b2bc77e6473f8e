import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { routeOf, signedInRouteOf } from './route-of.ts'

const host = 'hither.example.org'
const id = '0f8fad5b-d9cb-469f-a165-70867728950e'

test.each([
  [`https://${host}/pins/${id}`],
  [`https://${host}/pins/${id}/`],
  [`https://${host}:443/pins/${id}`],
  [`HTTPS://HITHER.example.ORG/pins/${id.toUpperCase()}`],
  [`https://${host}/pins/${id}?utm_source=elsewhere#there`],
  [`https://${host}/profile/../pins/${id}`],
])('%s leads to the path of the ping only', (link) => {
  expect(routeOf(link, [host])).toBe(`/pins/${id}`)
})

test('an invitation link leads to its code', () => {
  for (const path of ['/invite/#aB3_-x', '/invite/aB3_-x', '/invite/aB3_-x/', '/invite/aB3_-x?a=b#there'])
    expect(routeOf(`https://${host}${path}`, [host])).toBe('/invite/#aB3_-x')
})

test('a link to a ping passes on its guest token and no other fragment', () => {
  const token = `aB3_-${'x'.repeat(38)}`
  expect(routeOf(`https://${host}/pins/${id}#guest=${token}`, [host])).toBe(`/pins/${id}#guest=${token}`)
  for (const fragment of [`guest=${token}x`, 'guest=short', `guest=${token}&next=/profile`, `x=${token}`, token])
    expect(routeOf(`https://${host}/pins/${id}#${fragment}`, [host])).toBe(`/pins/${id}`)
  expect(routeOf(`https://${host}/invite/aB3_-x#guest=${token}`, [host])).toBe('/invite/#aB3_-x')
})

test('a friend link leads to its code', () => {
  const code = 'aB3_-xaB3_-xaB3_-xaB3_'
  expect(routeOf(`https://${host}/add#${code}`, [host])).toBe(`/add#${code}`)
  expect(routeOf(`https://${host}/add/?x=1#${code}.AAAA`, [host])).toBe(`/add#${code}.AAAA`)
})

test('the way back from a provider leads to its page with the code or the error', () => {
  const code = `aB3_-${'x'.repeat(38)}`
  expect(signedInRouteOf(`hither://signed-in#code=${code}`)).toBe(`/signed-in#code=${code}`)
  expect(signedInRouteOf(`hither://signed-in#code=${code}&return_to=%2Fpins`)).toBe(`/signed-in#code=${code}`)
  expect(signedInRouteOf('hither://signed-in#error=sign_in_denied')).toBe('/signed-in#error=sign_in_denied')
})

test.each([
  ['hither://signed-in'],
  ['hither://signed-in#code='],
  ['hither://signed-in/x#code=abc'],
  ['hither://signed-in?x=1#code=abc'],
  ['hither://evil#code=abc'],
  ['hither://signed-in#code=abc&next=/profile'],
  ['https://hither.example.org/signed-in#code=abc'],
  ["hither://signed-in#code=abc'"],
  [undefined],
])('%s is not the way back from a provider', (link) => {
  expect(signedInRouteOf(link)).toBeNull()
})

describe('returns null for', () => {
  test.each([
    [`http://${host}/pins/${id}`],
    [`https://evil.example.org/pins/${id}`],
    [`https://${host}.evil.example.org/pins/${id}`],
    [`https://${host}@evil.example.org/pins/${id}`],
    [`https://evil.example.org@${host}/pins/${id}`],
    [`https://ann:secret@${host}/pins/${id}`],
    [`https://${host}:8443/pins/${id}`],
    [`https://evil.example.org\\@${host}/pins/${id}`],
    [`https://${host}./pins/${id}`],
    [`app.hither.mobile://${host}/pins/${id}`],
    [`capacitor://localhost/pins/${id}`],
    [`javascript:location='https://${host}/pins/${id}'`],
    [`//${host}/pins/${id}`],
    [`/pins/${id}`],
    [`https://${host}/pins/`],
    [`https://${host}/pins/1`],
    [`https://${host}/pins/${id}/edit`],
    [`https://${host}/pins/${id}%2F..%2F..%2Fprofile`],
    [`https://${host}//evil.example.org/pins/${id}`],
    [`https://${host}/invite/`],
    [`https://${host}/invite/a%2Fb`],
    [`https://${host}/invite/a/b`],
    [`https://${host}/invite/#a/b`],
    [`https://${host}/invite/#guest=a`],
    [`https://${host}/invite/${'a'.repeat(101)}`],
    [`https://${host}/add`],
    [`https://${host}/add#short`],
    [`https://${host}/add/x#${'a'.repeat(22)}`],
    [`https://evil.example.org/add#${'a'.repeat(22)}`],
    [`https://${host}/profile`],
    [`https://${host}/reset-password?token=${id}`],
    [''],
  ])('%s', (link) => {
    expect(routeOf(link, [host])).toBeNull()
  })

  test.each([[undefined], [null], [7], [{ toString: () => `https://${host}/pins/${id}` }]])('%s', (link) => {
    expect(routeOf(link, [host])).toBeNull()
  })

  test('any address of another host', () => {
    fc.assert(
      fc.property(fc.webUrl({ withQueryParameters: true, withFragments: true }), fc.uuid(), (address, pin) => {
        fc.pre(new URL(address).host !== host)
        const { origin } = new URL(address)
        expect(routeOf(address, [host])).toBeNull()
        expect(routeOf(`${origin}/pins/${pin}`, [host])).toBeNull()
      }),
    )
  })

  test('random text, and random text added to a valid link, unless the result is still a valid link', () => {
    const good = `https://${host}/pins/${id}`
    fc.assert(
      fc.property(fc.string(), fc.nat({ max: good.length }), (noise, at) => {
        for (const link of [noise, good.slice(0, at) + noise + good.slice(at)]) {
          const route = routeOf(link, [host])
          if (route === null) continue
          expect(route).toMatch(
            /^\/pins\/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$|^\/invite\/[\w-]+$|^\/add#[\w.-]+$/,
          )
          expect(new URL(link).origin).toBe(`https://${host}`)
        }
      }),
    )
  })

  test('links without a known server', () => {
    expect(routeOf(`https://${host}/pins/${id}`, [])).toBeNull()
  })
})

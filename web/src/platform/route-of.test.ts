import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { routeOf } from './route-of.ts'

const host = 'hither.example.org'
const id = '0f8fad5b-d9cb-469f-a165-70867728950e'

test.each([
  [`https://${host}/pins/${id}`],
  [`https://${host}/pins/${id}/`],
  [`https://${host}:443/pins/${id}`],
  [`HTTPS://HITHER.example.ORG/pins/${id.toUpperCase()}`],
  [`https://${host}/pins/${id}?utm_source=elsewhere#there`],
  [`https://${host}/profile/../pins/${id}`],
])('%s leads to the pin and nowhere else', (link) => {
  expect(routeOf(link, [host])).toBe(`/pins/${id}`)
})

test('an invitation leads to its code', () => {
  expect(routeOf(`https://${host}/invite/aB3_-x`, [host])).toBe('/invite/aB3_-x')
})

describe('leads nowhere', () => {
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
    [`https://${host}/invite/${'a'.repeat(101)}`],
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

  test('any text, and any text put before, behind or into a good link, unless a place is still all that it names', () => {
    const good = `https://${host}/pins/${id}`
    fc.assert(
      fc.property(fc.string(), fc.nat({ max: good.length }), (noise, at) => {
        for (const link of [noise, good.slice(0, at) + noise + good.slice(at)]) {
          const route = routeOf(link, [host])
          if (route === null) continue
          expect(route).toMatch(/^\/pins\/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$|^\/invite\/[\w-]+$/)
          expect(new URL(link).origin).toBe(`https://${host}`)
        }
      }),
    )
  })

  test('where no server is known', () => {
    expect(routeOf(`https://${host}/pins/${id}`, [])).toBeNull()
  })
})

import { describe, expect, it } from 'vitest'
import { addressIn, readForwardedFor } from './forwarded-for.ts'

describe('an entry of X-Forwarded-For', () => {
  it.each([
    ['203.0.113.2', '203.0.113.2'],
    [' 203.0.113.2:40001 ', '203.0.113.2'],
    ['203.0.113.2:', '203.0.113.2'],
    ['"203.0.113.2:40001"', '203.0.113.2'],
    ['2001:db8::1', '2001:db8::1'],
    ['[2001:db8::1]', '2001:db8::1'],
    ['[2001:DB8::1]:40001', '2001:DB8::1'],
    ['"[2001:db8::1]:40001"', '2001:db8::1'],
    ['2001:db8:1:2:3:4:5:6:40001', '2001:db8:1:2:3:4:5:6'],
    ['fe80::1%eth0', 'fe80::1'],
    ['[fe80::1%25eth0]:40001', 'fe80::1'],
    ['::ffff:203.0.113.2', '::ffff:203.0.113.2'],
    ['[::ffff:203.0.113.2]:40001', '::ffff:203.0.113.2'],
    ['for=203.0.113.2', '203.0.113.2'],
    ['For="[2001:db8::1]:40001"', '2001:db8::1'],
    ['proto=https; for="203.0.113.2:40001" ;by=10.0.0.1', '203.0.113.2'],
  ])('%s has the address %s', (entry, address) => {
    expect(addressIn(entry)).toBe(address)
  })

  it.each(['unknown', '_hidden', '', 'for=unknown', 'by=10.0.0.1', '1.2.3', '256.1.1.1', '0x7f.1', '203.0.113.2:x'])(
    '%j has no address',
    (entry) => {
      expect(addressIn(entry)).toBeNull()
    },
  )

  it.each([
    ['203.0.113.2:1,, 10.0.0.1:2,', '203.0.113.2, 10.0.0.1'],
    ['198.51.100.7, unknown, 10.0.0.1:80', '10.0.0.1'],
    ['198.51.100.7, unknown', ''],
    [' ', ''],
    [undefined, undefined],
  ])('the header %j becomes %j', (sent, read) => {
    const headers = { ...(sent !== undefined && { 'x-forwarded-for': sent }) }
    readForwardedFor({ headers })
    expect(headers['x-forwarded-for']).toBe(read)
  })
})

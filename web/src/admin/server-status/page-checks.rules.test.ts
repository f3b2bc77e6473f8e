import { expect, it } from 'vitest'
import { judgeAddressBar, judgeDeviceClock, judgeLive } from './page-checks.rules.ts'

it('a live connection is ok if a heartbeat returns within a second', () => {
  expect(judgeLive('live', 12)).toMatchObject({ state: 'ok', text: 'Round trip: 12 ms.' })
  expect(judgeLive('live', 0.2).text).toBe('Round trip: 1 ms.')
  expect(judgeLive('live', 1000).state).toBe('warning')
  expect(judgeLive('live', null).state).toBe('failed')
  expect(judgeLive('live', undefined).state).toBeNull()
  expect(judgeLive('connecting', 12).state).toBeNull()
  expect(judgeLive('offline', 12).state).toBe('failed')
})

it('the address of the page is compared with the server’s address', () => {
  const own = 'https://hither.example'
  expect(judgeAddressBar(own, own, true).state).toBe('ok')
  expect(judgeAddressBar(`${own}:443/`, own, true).state).toBe('ok')
  expect(judgeAddressBar(own, 'https://www.hither.example', true)).toMatchObject({
    state: 'warning',
    text: expect.stringContaining('You are at https://www.hither.example'),
  })
  expect(judgeAddressBar('http://10.0.0.2', 'http://10.0.0.2', false).state).toBe('failed')
})

it('a slow response does not make a clock wrong', () => {
  expect(judgeDeviceClock(1000, 1000, 1000).state).toBe('ok')
  expect(judgeDeviceClock(0, 50_000, 60_000).state).toBe('ok')
  expect(judgeDeviceClock(10_000, 5001, 11_000).state).toBe('ok')
  expect(judgeDeviceClock(10_000, 4000, 11_000).text).toContain('6 seconds ahead of')
  expect(judgeDeviceClock(10_000, 41_000, 11_000).text).toContain('30 seconds behind')
})

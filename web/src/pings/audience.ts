import { type Ping } from '@hither/contract/pings.ts'
import { audienceStrings } from './strings.ts'
import { shortTime } from './times.ts'

interface Audience {
  /** Friends who are invited. */
  count: number
  isPublic: boolean
  startMs: number
  endMs: number
}

/** Who sees it, and how long: "12 friends and anyone with the link, until 21:40". */
export function audienceText({ count, isPublic, startMs, endMs }: Audience, nowMs: number): string {
  const people = [count > 0 && audienceStrings.friends(count), isPublic && audienceStrings.anyone].filter(Boolean)
  const who = people.length === 0 ? audienceStrings.onlyYou : people.join(` ${audienceStrings.and} `)
  const isLater = startMs > nowMs
  const end = shortTime(endMs, isLater ? startMs : nowMs)
  const time = isLater ? audienceStrings.between(shortTime(startMs, nowMs), end) : audienceStrings.until(end)
  return `${who}, ${time}`
}

/** The same of a ping that stands. */
export function audienceOf({ recipients, is_public, activates_at, expires_at }: Ping, nowMs: number) {
  // What was not put off has begun, also by a clock that is a second behind the server's.
  const [startMs, endMs] = [activates_at === null ? nowMs : Date.parse(activates_at), Date.parse(expires_at)]
  return audienceText({ count: recipients.length, isPublic: is_public, startMs, endMs }, nowMs)
}

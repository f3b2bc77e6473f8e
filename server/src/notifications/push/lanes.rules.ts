/** The lanes of one node, each of which sends one push at a time. Slow devices have lanes of their own. */
export const laneLimits = {
  fast: 14,
  slow: 2,
  /** How many lanes the devices of one person take, of which one may be slow: the other is left to their other devices. */
  perPerson: 2,
  slowPerPerson: 1,
  /** How many fast lanes one push service takes, so that one that is delayed leaves lanes to the others. */
  perHost: 8,
} as const

/** A push that is being sent. */
export interface Sending {
  readonly user_id: string
  readonly endpoint: string
  readonly is_slow: boolean
}

/** Whose pushes may be claimed now, and how many at once, of which at most one for each person. */
export interface Vacancy {
  readonly limit: number
  readonly exceptPeople: readonly string[]
  readonly exceptHosts: readonly string[]
}

/** Returns the vacancy of the slow lanes, or of the fast ones. */
export function vacancyOf(isSlow: boolean, sending: readonly Sending[]): Vacancy {
  const { fast, slow, perPerson, slowPerPerson, perHost } = laneLimits
  const same = sending.filter((push) => push.is_slow === isSlow)
  const full = namesWithin(sending, personOf, perPerson)
  if (isSlow) {
    const exceptPeople = [...new Set([...full, ...namesWithin(same, personOf, slowPerPerson)])]
    return { limit: slow - same.length, exceptPeople, exceptHosts: [] }
  }
  const exceptHosts = namesWithin(same, hostOf, perHost)
  // One claim may take only pushes of the host that has the most lanes, which must not exceed its share.
  const most = Math.max(0, ...[...countedBy(same, hostOf).values()].filter((count) => count < perHost))
  return { limit: Math.min(fast - same.length, perHost - most), exceptPeople: full, exceptHosts }
}

const personOf = ({ user_id }: Sending) => user_id

/** The part of the endpoint that `claimPushes` compares. */
const hostOf = ({ endpoint }: Sending) => endpoint.split('/')[2] ?? ''

function namesWithin(sending: readonly Sending[], nameOf: (push: Sending) => string, share: number): string[] {
  return [...countedBy(sending, nameOf)].filter(([, count]) => count >= share).map(([name]) => name)
}

function countedBy(sending: readonly Sending[], nameOf: (push: Sending) => string): Map<string, number> {
  const counts = new Map<string, number>()
  for (const push of sending) counts.set(nameOf(push), (counts.get(nameOf(push)) ?? 0) + 1)
  return counts
}

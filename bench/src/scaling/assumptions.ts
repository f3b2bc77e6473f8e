/** What `docs/scaling.md` assumes of people, by the names it gives them. Nothing here is measured. */
export const assumed = {
  /** Mean of friends, and how unlike people are in that: the deviation of the logarithm. */
  friendsMean: 40,
  friendsSpread: 0.8,
  /** Part of all people who are connected at the peak. */
  onlineShare: 0.05,
  /** How much more often those with many friends are connected: online ~ friends ^ this. */
  onlineBias: 0.5,
  devices: 1.2,
  /** Part of all people who use it on a day. */
  dailyShare: 0.2,
  /** The busiest second beside the mean one. */
  peak: 3,
  // By each person of that day.
  pingsADay: 1,
  pingRecipients: 15,
  answersADay: 4,
  messagesADay: 20,
  readsADay: 10,
  visitsADay: 12,
  callsADay: 150,
  /** While one message is written. */
  typingPerMessage: 3,
  /** Members of a conversation besides the one who writes. */
  messageOthers: 2.2,
} as const

export const secondsADay = 86_400

/** By how much the friends of whoever is online are more, and more often online, than those of just anyone. */
export const bias = Math.exp(assumed.onlineBias * assumed.friendsSpread ** 2)

/** At the busiest second, of all people together. */
export function ratesOf(people: number) {
  const rate = (aDay: number) => (people * assumed.dailyShare * aDay * assumed.peak) / secondsADay
  return {
    pings: rate(assumed.pingsADay),
    answers: rate(assumed.answersADay),
    messages: rate(assumed.messagesADay),
    reads: rate(assumed.readsADay),
    /** Comings and goings. */
    presence: 2 * rate(assumed.visitsADay),
    calls: rate(assumed.callsADay),
  }
}

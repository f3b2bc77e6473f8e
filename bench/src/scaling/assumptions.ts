/** The assumptions of `docs/scaling.md` about users, with the same names. They are not measured. */
export const assumed = {
  /** The mean number of friends. `friendsSpread` is the standard deviation of its logarithm. */
  friendsMean: 40,
  friendsSpread: 0.8,
  /** The fraction of all users who are connected at the peak. */
  onlineShare: 0.05,
  /** Users with many friends are connected more often: online ~ friends ^ onlineBias. */
  onlineBias: 0.5,
  devices: 1.2,
  /** The fraction of all users who are active on a day. */
  dailyShare: 0.2,
  /** The ratio of the peak rate to the mean rate. */
  peak: 3,
  // The following are per active user and day.
  pingsADay: 1,
  pingRecipients: 15,
  answersADay: 4,
  messagesADay: 20,
  readsADay: 10,
  visitsADay: 12,
  callsADay: 150,
  /** Typing events per message. */
  typingPerMessage: 3,
  /** Participants of a conversation in addition to the sender. */
  messageOthers: 2.2,
} as const

const secondsADay = 86_400

/** The factor by which online users have more friends, and friends who are online more often, than the average user. */
export const bias = Math.exp(assumed.onlineBias * assumed.friendsSpread ** 2)

/** Peak rates per second of all users together. */
export function ratesOf(people: number) {
  const rate = (aDay: number) => (people * assumed.dailyShare * aDay * assumed.peak) / secondsADay
  return {
    pings: rate(assumed.pingsADay),
    answers: rate(assumed.answersADay),
    messages: rate(assumed.messagesADay),
    reads: rate(assumed.readsADay),
    /** Presence changes, both online and offline. */
    presence: 2 * rate(assumed.visitsADay),
    calls: rate(assumed.callsADay),
  }
}

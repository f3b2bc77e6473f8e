/** The extent of a measurement: a quick one of a minute or two, or a complete one. */
export interface Plan {
  readonly scale: number
  readonly people: number
  readonly runs: number
  readonly atOnce: number
  readonly closedMs: number
  readonly warmMs: number
  readonly openMs: number
  /** How long the mix is measured beside a storm of sign-ins. A short time leaves two calls above a p99. */
  readonly stormMs: number
  /** Rates in calls per second. */
  readonly openRates: readonly number[]
  readonly starts: number
}

const common = { runs: 3, atOnce: 8 }

export const quickPlan: Plan = {
  ...common,
  scale: 0.1,
  people: 100,
  closedMs: 700,
  warmMs: 6000,
  openMs: 1000,
  stormMs: 1000,
  openRates: [50],
  starts: 1,
}

export const wholePlan: Plan = {
  ...common,
  scale: 1,
  people: 500,
  closedMs: 2000,
  warmMs: 25_000,
  openMs: 3000,
  stormMs: 10_000,
  openRates: [50, 400],
  starts: 3,
}

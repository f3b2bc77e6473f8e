export const bannerLimits = {
  textMax: 200,
  /** How far ahead a banner may end. */
  daysMax: 30,
} as const

export const bannerTexts = {
  textInvalid: 'Please enter a text of 1 to 200 characters.',
  endInvalid: 'Please choose a time within the next 30 days.',
} as const

/** The largest page of a list, and the page of a call without `limit`. It is larger than the limit of unexpired pings. */
export const pageMax = 100

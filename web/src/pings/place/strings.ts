/** Texts about the place of a ping. `owner` is the name of its owner. */
export const placeStrings = {
  within: (distance: string) => `Within about ${distance}`,
  showsWhenGoing: 'The exact place shows when you answer Going.',
  showsAfterApproval: (owner: string) => `${owner} shares the exact place after approving your response.`,
  onlyInvited: (owner: string) => `Only people ${owner} invited can see the exact place.`,
  onlyGoing: 'Only people who are going can see the exact place.',
  visibleNow: 'You can see the exact place now.',
  mapOf: (place: string) => `Map: ${place}`,
  openOnMap: 'Open on the map',
} as const

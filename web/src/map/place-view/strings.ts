export const placeViewStrings = {
  activate: 'Tap to move the map',
  show: 'Show map',
  failed: "The map couldn't be loaded.",
} as const

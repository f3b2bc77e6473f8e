export const mapStrings = {
  title: 'Map of pins',
  loading: 'Loading map...',
  attempt: (attempt: number, of: number) => `Loading map... (Attempt ${attempt}/${of})`,
  failed: 'Failed to load map after multiple attempts. Check your connection and try again.',
  unsupported: 'This browser cannot draw maps (WebGL is missing). The lists still work.',
  noStreets: 'No street detail here offline',
  naturalEarth: 'Natural Earth',
  ownPosition: 'You are here. Only you can see this.',
  ownPositionShort: 'Only you see this',
  closeCard: 'Close',
} as const

export const locationStrings = {
  unsupported: 'Geolocation is not supported by this browser.',
  failed: 'Could not get your location.',
  denied: 'Location access was denied. Please enable location permissions.',
  unavailable: 'Location information is unavailable.',
  timedOut: 'Location request timed out.',
  unknown: 'An unknown error occurred.',
  locating: 'Getting your location...',
} as const

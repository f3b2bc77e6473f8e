import { locationStrings } from '../map/strings.ts'

export const homeStrings = {
  title: 'Home',
  listsLabel: 'Pins',
  addPin: 'Drop a pin',
  quickPin: 'Quick pin: here, 30 minutes, all friends',
  recenter: 'Refresh and recenter map',
  locating: locationStrings.locating,
  sheetHandle: 'Resize the list',
  sheetStops: { peek: 'Peek', half: 'Half', full: 'Full' },
  locationTitle: 'Location services are off',
  locationText: [
    'Your location is not stored and is not required: it is only used to start a new pin where you are.',
    'To use it, allow location access for this page in your browser’s settings. Until then, tap the map to choose a place.',
  ],
  gotIt: 'Got it',
  dontShowAgain: "Don't show again",
} as const

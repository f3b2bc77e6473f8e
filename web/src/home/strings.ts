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
  shareHere: 'Share where you are',
  stepsLabel: 'First steps',
  steps: {
    friend: { label: 'Add a friend', text: 'Pins are for the friends you choose' },
    pin: { label: 'Drop your first pin', text: 'Show where you are, for as long as you like' },
    notify: { label: 'Turn on notifications', text: 'Know when friends drop a pin or respond' },
  },
  stepDone: 'Done',
  locationTitle: 'Location services are off',
  locationText: [
    'Your location is not stored and is not required: it is only used to start a new pin where you are.',
    'To use it, allow location access for this page in your browser’s settings. Until then, tap the map to choose a place.',
  ],
  place: 'Place',
  pinHere: 'Drop a pin here',
  gotIt: 'Got it',
  dontShowAgain: "Don't show again",
} as const

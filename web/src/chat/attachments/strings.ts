import { fileTexts } from '@hither/contract/runtime/files.ts'

export const attachStrings = {
  attach: 'Attach',
  photo: 'Photo',
  place: 'Place',
  drop: 'Drop photos to send them',
} as const

export const photoStrings = {
  title: 'Send a photo',
  position: (number: number, count: number) => `${number} of ${count}`,
  preview: 'The photo you chose',
  noPreview: 'This photo has no preview here.',
  caption: 'Add a caption…',
  send: 'Send',
  skip: 'Skip',
  uploading: 'Uploading the photo…',
  waiting: 'Waiting to be sent',
  notSent: 'Photo not sent.',
  retry: 'Retry',
  discard: 'Discard',
  gone: 'This photo is no longer available.',
  failed: "Couldn't load this photo. Tap to try again.",
  open: (label: string) => `Open ${label}`,
  of: (name: string, caption: string) => (caption === '' ? `Photo from ${name}` : `Photo from ${name}, ${caption}`),
  own: (caption: string) => (caption === '' ? 'Your photo' : `Your photo, ${caption}`),
  save: 'Save image',
  close: 'Close',
  zoomIn: 'Zoom in',
  zoomOut: 'Zoom out',
  loading: 'Loading the photo…',
  notAnImage: fileTexts.notAnImage,
} as const

export const placeStrings = {
  title: 'Send a place',
  send: 'Send this place',
  map: 'Map. The place in the center is sent.',
  mapLoading: 'Loading map...',
  mapFailed: "The map couldn't be loaded. You can still search for a place.",
  close: 'Close',
  retry: 'Retry',
  unnamed: 'Place',
  open: 'Open on map',
  of: (name: string, place: string) => `Place from ${name}: ${place}`,
  own: (place: string) => `Your place: ${place}`,
} as const

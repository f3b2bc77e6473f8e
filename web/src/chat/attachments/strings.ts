import { t } from '../../i18n/translate.ts'

export const attachStrings = {
  attach: t('chat.attach.attach'),
  photo: t('chat.attach.photo'),
  place: t('chat.attach.place'),
  drop: t('chat.attach.drop'),
} as const

export const photoStrings = {
  title: t('chat.photo.title'),
  position: (number: number, count: number) => t('chat.photo.position', { number, count }),
  preview: t('chat.photo.preview'),
  noPreview: t('chat.photo.noPreview'),
  caption: t('chat.photo.caption'),
  send: t('chat.photo.send'),
  skip: t('chat.photo.skip'),
  uploading: t('chat.photo.uploading'),
  waiting: t('chat.message.states.waiting'),
  notSent: t('chat.photo.notSent'),
  retry: t('chat.photo.retry'),
  discard: t('chat.photo.discard'),
  gone: t('chat.photo.gone'),
  failed: t('chat.photo.failed'),
  open: (label: string) => t('chat.photo.open', { label }),
  of: (name: string, caption: string) =>
    caption === '' ? t('chat.photo.of', { name }) : t('chat.photo.ofWithCaption', { name, caption }),
  own: (caption: string) => (caption === '' ? t('chat.photo.own') : t('chat.photo.ownWithCaption', { caption })),
  save: t('chat.photo.save'),
  close: t('chat.photo.close'),
  zoomIn: t('chat.photo.zoomIn'),
  zoomOut: t('chat.photo.zoomOut'),
  loading: t('chat.photo.loading'),
  notAnImage: t('files.notAnImage'),
} as const

export const placeStrings = {
  title: t('chat.place.title'),
  send: t('chat.place.send'),
  map: t('chat.place.map'),
  mapLoading: t('chat.place.mapLoading'),
  mapFailed: t('chat.place.mapFailed'),
  close: t('chat.place.close'),
  retry: t('chat.place.retry'),
  unnamed: t('chat.place.unnamed'),
  open: t('chat.place.open'),
  of: (name: string, place: string) => t('chat.place.of', { name, place }),
  own: (place: string) => t('chat.place.own', { place }),
} as const

/** The name of the cache in which a page and its service worker keep the texts of the app for a start without a network. */
export const textCache = 'texts'

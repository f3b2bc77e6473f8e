/** The name of the cache in which a page and its service worker store the texts of the app for a start without a network. */
export const textCache = 'texts'

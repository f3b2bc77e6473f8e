/**
 * Messages of a page to its service worker: the waiting one must take over, or the active one must clear the data of a
 * user who signed out.
 */
export const takeOverMessage = 'take-over'
export const signedOutMessage = 'forget'

/** The name of the map tile cache. */
export const tileCache = 'tiles'

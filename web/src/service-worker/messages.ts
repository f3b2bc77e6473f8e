/** What a page tells its service worker: the waiting one to take over, the active one that somebody signed out. */
export const takeOverMessage = 'take-over'
export const forgetMessage = 'forget'

/** The name of the cache of map tiles. */
export const tileCache = 'tiles'

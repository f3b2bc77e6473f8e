/** Replaces the name of a user whom a block hides. */
export const blockedUserName = 'Blocked user'

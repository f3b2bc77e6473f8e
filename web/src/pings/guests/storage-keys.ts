/** Where the device stores the responses that were given without an account, and the name that was last used. */
export const guestKeys = { guests: 'guest_responses', name: 'guest_name' } as const

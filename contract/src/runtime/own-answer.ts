/**
 * A header of every response of Hither. A response without it may be of something in between, such as the sign-in page of a hotel or
 * the error page of a proxy.
 */
export const ownAnswerHeader = 'x-hither'

import { Type } from 'typebox'
import { text } from '../values.ts'

export const IdToken = text({ minLength: 1, maxLength: 16_384 })

/** The value that the client sent to the identity provider. It is required if the token has a nonce. */
export const Nonce = Type.Optional(text({ minLength: 1, maxLength: 256 }))

/** Body fields with a fresh identity token. A user without a password proves their identity with it. */
export const identityProof = { id_token: Type.Optional(IdToken), nonce: Nonce } as const

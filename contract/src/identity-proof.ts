import { Type } from 'typebox'
import { text } from './values.ts'

export const IdToken = text({ minLength: 1, maxLength: 16_384 })

/** The value that the client sent to the identity provider. It is required where the token has one. */
export const Nonce = Type.Optional(text({ minLength: 1, maxLength: 256 }))

/** Body fields: a fresh identity token, with which the owner of an account without a password proves who they are. */
export const identityProof = { id_token: Type.Optional(IdToken), nonce: Nonce } as const

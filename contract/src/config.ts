import { type Static, Type } from 'typebox'
import { MapConfig } from './maps.ts'
import { RegistrationMode } from './moderation.ts'
import { type Operation } from './operation.ts'
import { nullable } from './values.ts'

/** What the web app must know to start. Public: nothing secret may stand here. */
export const ClientConfig = Type.Object({
  version: Type.String(),
  map: MapConfig,
  geocoder: Type.Boolean({ description: 'Whether addresses are known; without, towns and coordinates only' }),
  directions_url: Type.String({
    description: 'A page that leads somewhere, with {latitude} and {longitude} to fill in',
  }),
  google_client_id: nullable(Type.String()),
  push_key: nullable(
    Type.String({
      description:
        'The applicationServerKey of Web Push. A subscription that was made with another one receives nothing any more',
    }),
  ),
  registration: RegistrationMode,
  features: Type.Object({
    confirm_email: Type.Boolean({ description: 'Signing up asks for the link of a mail before the first sign-in' }),
    password_reset: Type.Boolean(),
    google: Type.Boolean(),
    push: Type.Boolean(),
  }),
})
export type ClientConfig = Static<typeof ClientConfig>

export const getConfig = {
  method: 'GET',
  path: '/config',
  tag: 'service',
  summary: 'What a client must know to start',
  auth: 'none',
  replies: { 200: ClientConfig },
} as const satisfies Operation

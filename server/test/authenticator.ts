import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import type {
  PasskeyAssertion,
  PasskeyCreationOptions,
  PasskeyRegistration,
  PasskeyRequestOptions,
} from '@hither/contract/auth/passkeys.ts'

/** The values of a forged message that replace those of a browser and an authenticator. */
export interface Forgery {
  readonly origin?: string
  readonly rpId?: string
  readonly challenge?: string
  readonly type?: string
  readonly userVerified?: boolean
  readonly counter?: number
  readonly credentialId?: Buffer
  readonly userHandle?: string
  /** Signs with another key. */
  readonly key?: KeyObject
}

/** A passkey that a device stores. */
interface StoredPasskey {
  readonly credentialId: Buffer
  readonly key: KeyObject
  readonly rpId: string
  readonly userHandle: string
  counter: number
}

/** An authenticator in software: it writes real WebAuthn messages with attestation "none" and ES256 signatures. */
export interface Authenticator {
  readonly passkeys: StoredPasskey[]
  create(options: PasskeyCreationOptions, forgery?: Forgery): PasskeyRegistration
  /** Signs in with the newest passkey unless another one is given. */
  get(options: PasskeyRequestOptions, forgery?: Forgery, passkey?: StoredPasskey): PasskeyAssertion
}

const flags = { userPresent: 0x01, userVerified: 0x04, attested: 0x40 }

export function createAuthenticator(origin: string): Authenticator {
  const passkeys: StoredPasskey[] = []
  return {
    passkeys,
    create(options, forgery = {}) {
      const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' })
      const credentialId = forgery.credentialId ?? randomBytes(16)
      const id = credentialId.toString('base64url')
      const rpId = forgery.rpId ?? options.rp.id
      const data = authenticatorData(rpId, flags.attested | verification(forgery), forgery.counter ?? 0)
      const attested = Buffer.concat([
        data,
        Buffer.alloc(16),
        length(credentialId),
        credentialId,
        coseKey(pair.publicKey),
      ])
      passkeys.push({
        credentialId,
        key: pair.privateKey,
        rpId: options.rp.id,
        userHandle: options.user.id,
        counter: 0,
      })
      return {
        ...{ id, rawId: id, type: 'public-key' },
        response: {
          clientDataJSON: clientData('webauthn.create', options.challenge, origin, forgery),
          attestationObject: cborMap([
            ['fmt', cborText('none')],
            ['attStmt', Buffer.from([0xa0])],
            ['authData', cborBytes(attested)],
          ]).toString('base64url'),
          transports: ['internal', 'hybrid'],
        },
      }
    },
    get(options, forgery = {}, passkey = passkeys.at(-1)) {
      if (!passkey) throw new Error('This authenticator has no passkey')
      const id = (forgery.credentialId ?? passkey.credentialId).toString('base64url')
      const clientDataJSON = clientData('webauthn.get', options.challenge, origin, forgery)
      passkey.counter = forgery.counter ?? passkey.counter
      const data = authenticatorData(forgery.rpId ?? options.rpId, verification(forgery), passkey.counter)
      const hash = createHash('sha256').update(Buffer.from(clientDataJSON, 'base64url')).digest()
      const signature = sign('sha256', Buffer.concat([data, hash]), forgery.key ?? passkey.key)
      return {
        ...{ id, rawId: id, type: 'public-key' },
        response: {
          clientDataJSON,
          authenticatorData: data.toString('base64url'),
          signature: signature.toString('base64url'),
          userHandle: forgery.userHandle ?? passkey.userHandle,
        },
      }
    },
  }
}

function verification({ userVerified = true }: Forgery): number {
  return flags.userPresent | (userVerified ? flags.userVerified : 0)
}

function clientData(type: string, challenge: string, origin: string, forgery: Forgery): string {
  const data = {
    type: forgery.type ?? type,
    challenge: forgery.challenge ?? challenge,
    origin: forgery.origin ?? origin,
  }
  return Buffer.from(JSON.stringify({ ...data, crossOrigin: false })).toString('base64url')
}

/** WebAuthn, 6.1. */
function authenticatorData(rpId: string, flag: number, counter: number): Buffer {
  const count = Buffer.alloc(4)
  count.writeUInt32BE(counter)
  return Buffer.concat([createHash('sha256').update(rpId).digest(), Buffer.from([flag]), count])
}

/** An EC2 key for ES256, RFC 9053. */
function coseKey(key: KeyObject): Buffer {
  const { x = '', y = '' } = key.export({ format: 'jwk' })
  return Buffer.concat([
    Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21]),
    cborBytes(Buffer.from(x, 'base64url')),
    Buffer.from([0x22]),
    cborBytes(Buffer.from(y, 'base64url')),
  ])
}

function length(bytes: Buffer): Buffer {
  const size = Buffer.alloc(2)
  size.writeUInt16BE(bytes.length)
  return size
}

function cborMap(entries: readonly (readonly [string, Buffer])[]): Buffer {
  return Buffer.concat([
    Buffer.from([0xa0 + entries.length]),
    ...entries.flatMap(([key, value]) => [cborText(key), value]),
  ])
}

function cborText(text: string): Buffer {
  return Buffer.concat([Buffer.from([0x60 + text.length]), Buffer.from(text)])
}

function cborBytes(bytes: Buffer): Buffer {
  const head = bytes.length < 256 ? [0x58, bytes.length] : [0x59, bytes.length >> 8, bytes.length & 255]
  return Buffer.concat([Buffer.from(head), bytes])
}

import type { PasskeyAssertion, PasskeyRegistration, PasskeyTransport } from '@hither/contract/auth/passkeys.ts'
import type { PasskeySettings } from '../../config/sign-in.ts'

// The library is loaded with the first passkey.

/** EdDSA, ES256 and RS256, as COSE names them. */
export const algorithms = [-8, -7, -257] as const

const transports: readonly PasskeyTransport[] = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb']

interface VerifiedRegistration {
  readonly credentialId: Buffer
  readonly publicKey: Buffer
  readonly counter: number
  readonly aaguid: string
  readonly backedUp: boolean
  readonly transports: readonly PasskeyTransport[]
}

interface VerifiedAssertion {
  readonly counter: number
  readonly backedUp: boolean
}

/** The challenge that the device has signed; `null` if the text is no client data. Not verified yet. */
export function challengeIn(clientDataJSON: string): string | null {
  try {
    const { challenge } = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString()) as { challenge?: unknown }
    return typeof challenge === 'string' && challenge.length <= 128 ? challenge : null
  } catch {
    return null
  }
}

/** Verifies a new passkey for this challenge; `null` for every fault. */
export async function verifyRegistration(
  { rpId, origin }: PasskeySettings,
  { response, ...credential }: PasskeyRegistration,
  challenge: string,
): Promise<VerifiedRegistration | null> {
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server')
  try {
    const { registrationInfo: info } = await verifyRegistrationResponse({
      response: {
        ...credential,
        type: publicKeyType(credential.type),
        response: withoutTransports(response),
        ...noExtensions,
      },
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: rpId,
      requireUserVerification: true,
      supportedAlgorithmIDs: [...algorithms],
    })
    if (!info || info.credential.id !== credential.id) return null
    return {
      credentialId: Buffer.from(info.credential.id, 'base64url'),
      publicKey: Buffer.from(info.credential.publicKey),
      counter: info.credential.counter,
      aaguid: info.aaguid,
      backedUp: info.credentialBackedUp,
      transports: transports.filter((known) => response.transports?.includes(known)),
    }
  } catch {
    // The library throws for each fault, and for bytes that it cannot read.
    return null
  }
}

/** Verifies a sign-in with this passkey for this challenge; `null` for every fault. */
export async function verifyAssertion(
  { rpId, origin }: PasskeySettings,
  { response: { userHandle, ...response }, ...credential }: PasskeyAssertion,
  challenge: string,
  passkey: { readonly credential_id: Buffer; readonly public_key: Buffer },
): Promise<VerifiedAssertion | null> {
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server')
  try {
    const { verified, authenticationInfo: info } = await verifyAuthenticationResponse({
      response: { ...credential, type: publicKeyType(credential.type), response, ...noExtensions },
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: rpId,
      requireUserVerification: true,
      credential: {
        id: passkey.credential_id.toString('base64url'),
        publicKey: new Uint8Array(passkey.public_key),
        // A counter that does not grow is logged by the caller. The library would refuse it.
        counter: 0,
      },
    })
    return verified ? { counter: info.newCounter, backedUp: info.credentialBackedUp } : null
  } catch {
    return null
  }
}

const noExtensions = { clientExtensionResults: {} } as const

function publicKeyType(type: string): 'public-key' {
  if (type !== 'public-key') throw new Error('The credential has another type')
  return type
}

function withoutTransports({ clientDataJSON, attestationObject }: PasskeyRegistration['response']) {
  return { clientDataJSON, attestationObject }
}

import type { ClientConfig } from '@hither/contract/config.ts'
import { isNative } from '../../platform/is-native.ts'

/** Returns whether this server and this browser support passkeys. The packaged app does not show them. */
export function canUsePasskeys(config: ClientConfig | undefined): boolean {
  return config?.features.passkeys === true && !isNative() && 'PublicKeyCredential' in globalThis
}

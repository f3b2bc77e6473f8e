import type { UserId } from '@hither/contract/ids.ts'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { serverNow } from '../../api/server-time.ts'
import { createPersistentQueue } from '../../outbox/persistent-queue.ts'
import { rememberRemoval } from '../suggestions/stored-suggestions.ts'
import type { PinRecord } from './pin-records.rules.ts'

/** What this device stores about the viewer's pins, for Drop again and suggestions. Nothing of it is sent to the server. */
export const pinRecords = createPersistentQueue<PinRecord>('pin-records')

/** Removes all records. The pins that exist by now are not recorded again. */
export function clearPinRecords(owner: UserId): Promise<void> {
  rememberRemoval(owner, serverNow())
  return pinRecords.edit(owner, () => [])
}

/** Null until the device has been read. */
export function usePinRecords(): readonly PinRecord[] | null {
  const [isRead, setIsRead] = useState(false)
  const records = useSyncExternalStore(pinRecords.subscribe, pinRecords.items)
  useEffect(() => {
    void pinRecords.reread().then(() => setIsRead(true))
  }, [])
  return isRead ? records : null
}

import { useEffect, useState, useSyncExternalStore } from 'react'
import { createPersistentQueue } from '../../outbox/persistent-queue.ts'
import type { PinRecord } from './pin-records.rules.ts'

/** What this device stores about the viewer's pins, for Drop again and suggestions. Nothing of it is sent to the server. */
export const pinRecords = createPersistentQueue<PinRecord>('pin-records')

/** Null until the device has been read. */
export function usePinRecords(): readonly PinRecord[] | null {
  const [isRead, setIsRead] = useState(false)
  const records = useSyncExternalStore(pinRecords.subscribe, pinRecords.items)
  useEffect(() => {
    void pinRecords.reread().then(() => setIsRead(true))
  }, [])
  return isRead ? records : null
}

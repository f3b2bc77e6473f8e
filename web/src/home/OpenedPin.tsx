import type { Ping } from '@hither/contract/pings.ts'
import { useEffect } from 'react'
import { useSearchParams } from 'react-router'

interface Props {
  pings: { data: readonly Ping[] | undefined; isFetching: boolean }
  onOpen: (ping: Ping) => unknown
}

/** Opens the pin that the address names, as the link on the page of a pin does, once it has loaded. */
export function OpenedPin({ pings: { data: pings, isFetching }, onOpen }: Props) {
  const [params, setParams] = useSearchParams()
  const pinId = params.get('pin')
  const pin = pings?.find(({ id }) => id === pinId)
  const isKnown = pin !== undefined || (pings !== undefined && !isFetching)

  // biome-ignore lint/correctness/useExhaustiveDependencies: opens a pin once, whatever changes in it
  useEffect(() => {
    if (!isKnown) return
    // Removes the parameter, so that a reload or going back does not open the pin again.
    setParams({}, { replace: true })
    if (pin !== undefined) onOpen(pin)
  }, [pinId, isKnown])

  return null
}

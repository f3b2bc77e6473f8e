import { useState } from 'react'

/** Whether an exact place was hidden before, while this component was mounted. */
export function useWasHidden(isExactNow: boolean): boolean {
  const [wasHidden, setWasHidden] = useState(!isExactNow)
  if (!isExactNow && !wasHidden) setWasHidden(true)
  return wasHidden && isExactNow
}

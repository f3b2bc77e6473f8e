import { lazy, Suspense } from 'react'
import { loadPart } from '../ui/load-module.ts'
import { useUpdateWaiting } from './registration.ts'

const UpdateBar = lazy(async () => ({ default: (await loadPart(() => import('./UpdateBar.tsx'))).UpdateBar }))

/** Offers to reload the page when a new version of the app is waiting. */
export function UpdatePrompt() {
  const isWaiting = useUpdateWaiting()
  if (!isWaiting) return null
  return (
    <Suspense fallback={null}>
      <UpdateBar />
    </Suspense>
  )
}

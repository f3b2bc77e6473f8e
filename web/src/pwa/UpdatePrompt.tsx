import { lazy, Suspense } from 'react'
import { useUpdateWaiting } from './registration.ts'

const UpdateBar = lazy(async () => ({ default: (await import('./UpdateBar.tsx')).UpdateBar }))

/** Stands by for a new version. */
export function UpdatePrompt() {
  const isWaiting = useUpdateWaiting()
  if (!isWaiting) return null
  return (
    <Suspense fallback={null}>
      <UpdateBar />
    </Suspense>
  )
}

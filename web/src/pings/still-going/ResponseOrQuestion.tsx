import type { ResponseType } from '@hither/contract/pings.ts'
import Box from '@mui/material/Box'
import { type ReactNode, useEffect, useRef } from 'react'
import { lazyComponent } from '../../ui/lazy.tsx'
import type { Question } from './StillGoing.tsx'

const StillGoing = lazyComponent(async () => (await import('./StillGoing.tsx')).StillGoing)

interface Props {
  /** Null unless the response is outdated. */
  question: Question | null
  /** The response. It has either a pressed button or a heading that can be focused. */
  children: ReactNode
}

/** The response of a person, or the question that replaces it after a change of the ping. */
export function ResponseOrQuestion({ question, children }: Props) {
  const box = useRef<HTMLDivElement>(null)
  const hasAnswered = useRef(false)
  const isAsked = question !== null

  // The button that was pressed is gone.
  useEffect(() => {
    if (isAsked || !hasAnswered.current) return
    hasAnswered.current = false
    box.current?.querySelector<HTMLElement>('[aria-pressed="true"], [tabindex="-1"]')?.focus({ preventScroll: true })
  }, [isAsked])

  function handleAnswer(type: ResponseType) {
    hasAnswered.current = true
    question?.onAnswer(type)
  }

  return (
    <Box ref={box}>
      {/* Always rendered, so that screen readers announce the question when it appears. */}
      <Box role="status">{question && <StillGoing {...question} onAnswer={handleAnswer} />}</Box>
      {!isAsked && children}
    </Box>
  )
}

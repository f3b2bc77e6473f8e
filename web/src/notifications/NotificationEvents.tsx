import { type User } from '@hither/contract/users.ts'
import { useState } from 'react'
import { late } from '../ui/late.tsx'
import { GivenAnswer } from './GivenAnswer.tsx'
import { pathOf } from './push-paths.ts'
import { eventStrings as strings } from './strings.ts'
import { type Given, usePushMessages } from './use-push-messages.ts'
import { useTidyNotifications } from './use-tidy-notifications.ts'
import { isWriting } from './writing.ts'

const ConfirmDialog = late(async () => (await import('../ui/ConfirmDialog.tsx')).ConfirmDialog)

interface Props {
  user: User
  onOpen: (path: string) => void
}

/** Does what was tapped on notifications, and takes away those that have nothing left to say. */
export function NotificationEvents({ user, onOpen }: Props) {
  const [given, setGiven] = useState<readonly Given[]>([])
  const [wanted, setWanted] = useState<string | null>(null)
  useTidyNotifications(user.id)
  usePushMessages(user.id, {
    onOpen: handleOpen,
    onAnswer: (answer) => setGiven((answers) => [...answers, answer]),
  })

  function handleOpen(url: string) {
    const path = pathOf(url)
    if (path === location.pathname + location.search) return
    if (isWriting()) setWanted(path)
    else onOpen(path)
  }

  function handleLeave() {
    setWanted(null)
    if (wanted !== null) onOpen(wanted)
  }

  return (
    <>
      {given.map((answer) => (
        <GivenAnswer
          key={answer.id}
          answer={answer}
          user={user}
          onDone={() => setGiven((answers) => answers.filter((other) => other !== answer))}
        />
      ))}
      <ConfirmDialog
        open={wanted !== null}
        title={strings.leaveTitle}
        text={strings.leaveText}
        confirmLabel={strings.leave}
        onConfirm={handleLeave}
        onClose={() => setWanted(null)}
      />
    </>
  )
}

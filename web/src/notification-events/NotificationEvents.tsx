import type { User } from '@hither/contract/users.ts'
import { useState } from 'react'
import { t } from '../i18n/translate.ts'
import { pathOf } from '../service-worker/push-paths.ts'
import { lazyComponent } from '../ui/lazy.tsx'
import { NotificationResponse } from './NotificationResponse.tsx'
import { hasUnsavedInput } from './unsaved-input.ts'
import { useNotificationCleanup } from './use-notification-cleanup.ts'
import { type PushResponse, usePushMessages } from './use-push-messages.ts'

const ConfirmDialog = lazyComponent(async () => (await import('../ui/ConfirmDialog.tsx')).ConfirmDialog)

interface Props {
  user: User
  onOpen: (path: string) => void
}

/** Handles notification clicks and closes obsolete notifications. */
export function NotificationEvents({ user, onOpen }: Props) {
  const [responses, setResponses] = useState<readonly PushResponse[]>([])
  const [wanted, setWanted] = useState<string | null>(null)
  useNotificationCleanup(user.id)
  usePushMessages(user.id, {
    onOpen: handleOpen,
    onAnswer: (answer) => setResponses((answers) => [...answers, answer]),
  })

  function handleOpen(url: string) {
    const path = pathOf(url)
    if (path === location.pathname + location.search) return
    if (hasUnsavedInput()) setWanted(path)
    else onOpen(path)
  }

  function handleLeave() {
    setWanted(null)
    if (wanted !== null) onOpen(wanted)
  }

  return (
    <>
      {responses.map((answer) => (
        <NotificationResponse
          key={answer.id}
          answer={answer}
          user={user}
          onDone={() => setResponses((answers) => answers.filter((other) => other !== answer))}
        />
      ))}
      <ConfirmDialog
        open={wanted !== null}
        title={t('notifications.event.leaveTitle')}
        text={t('notifications.event.leaveText')}
        confirmLabel={t('notifications.event.leave')}
        onConfirm={handleLeave}
        onClose={() => setWanted(null)}
      />
    </>
  )
}

import type { OwnPing } from '@hither/contract/pings.ts'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Card from '@mui/material/Card'
import Typography from '@mui/material/Typography'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useId, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { useServerNow } from '../../api/server-time.ts'
import type { NewFriend } from '../../friend-links/new-friends.ts'
import { t } from '../../i18n/translate.ts'
import { LoadingButton } from '../../ui/LoadingButton.tsx'
import { publishNotice } from '../../ui/notices/notices.ts'
import { invite } from '../edit/edit-ping.mutations.ts'
import { OfflineNote } from '../edit/OfflineNote.tsx'
import { useIsOffline } from '../edit/use-is-offline.ts'
import { myPingsQuery } from '../pings.api.ts'
import { refetchLists } from '../pings.cache.ts'
import { writeErrorText } from '../view/write-error-text.ts'
import { claimQuestion } from './asked-friendships.ts'
import { pingsToShow } from './new-friend.rules.ts'

interface Props {
  friend: NewFriend
  onDone: () => void
}

/** Asks once on a device whether a new friend may see the pins that went to all friends. */
export function NewFriendQuestion({ friend, onDone }: Props) {
  const id = useId()
  const queryClient = useQueryClient()
  const isOffline = useIsOffline()
  const nowMs = useServerNow(15_000)
  const mine = useQuery(myPingsQuery())
  const pings = pingsToShow(mine.data ?? [], friend.userId, nowMs)
  const isAsked = useClaim(friend, pings.length > 0, onDone)
  const showing = useMutation({
    mutationFn: async (pings: readonly OwnPing[]) => {
      for (const ping of pings) await invite(queryClient, ping.id, { recipient_ids: [friend.userId] })
    },
    onSettled: () => refetchLists(queryClient),
  })

  // Those that are already shown to the friend still count while the others follow.
  const { length: count } = showing.isPending ? showing.variables : pings
  const isLoaded = !mine.isFetching
  // biome-ignore lint/correctness/useExhaustiveDependencies: `onDone` only sets state
  useEffect(() => {
    if (isLoaded && count === 0) onDone()
  }, [isLoaded, count])

  async function handleShow() {
    try {
      await showing.mutateAsync(pings)
      publishNotice({ kind: 'notice', text: t('pings.invite.invited', { name: friend.name }) })
    } catch (error) {
      publishNotice({ kind: 'error', text: writeErrorText(error, t('pings.inviteFailed')) })
    }
    onDone()
  }

  return createPortal(
    // Always rendered, so that screen readers announce the question when it appears.
    <Box
      role="status"
      sx={{
        position: 'fixed',
        zIndex: 'snackbar',
        top: 'calc(56px + var(--sat) + 12px)',
        insetInlineStart: 'max(12px, var(--sal))',
        insetInlineEnd: 'max(12px, var(--sar))',
        display: 'flex',
        justifyContent: 'center',
        pointerEvents: 'none',
      }}
    >
      {isAsked && count > 0 && (
        <Card
          component="section"
          aria-labelledby={id}
          sx={{ width: '100%', maxWidth: 440, px: 2, pt: 1.5, pb: 0.5, boxShadow: 6, pointerEvents: 'auto' }}
        >
          <Typography id={id} component="h2" variant="body1" sx={{ fontWeight: 600, overflowWrap: 'anywhere' }}>
            {t('pings.newFriend.question', { name: friend.name, count })}
          </Typography>
          <OfflineNote />
          <Box sx={{ display: 'flex', justifyContent: 'flex-end' }}>
            <Button color="inherit" onClick={onDone}>
              {t('pings.newFriend.notNow')}
            </Button>
            <LoadingButton isWorking={showing.isPending} isDisabled={isOffline} onClick={() => void handleShow()}>
              {t('pings.newFriend.show')}
            </LoadingButton>
          </Box>
        </Card>
      )}
    </Box>,
    document.body,
  )
}

/** Returns true in the first visible tab that wants to ask. The other tabs are done. */
function useClaim({ id }: NewFriend, isWanted: boolean, onDone: () => void): boolean {
  const [isClaimed, setIsClaimed] = useState(false)
  const hasTried = useRef(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: `onDone` only sets state
  useEffect(() => {
    if (!isWanted) return
    async function claim() {
      if (hasTried.current || document.visibilityState !== 'visible') return
      hasTried.current = true
      if (await claimQuestion(id)) setIsClaimed(true)
      else onDone()
    }
    void claim()
    document.addEventListener('visibilitychange', claim)
    return () => document.removeEventListener('visibilitychange', claim)
  }, [id, isWanted])
  return isClaimed
}

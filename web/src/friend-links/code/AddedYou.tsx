import Alert from '@mui/material/Alert'
import Box from '@mui/material/Box'
import { useEffect, useState } from 'react'
import { useRemoveFriend } from '../../friends/friends.api.ts'
import { t } from '../../i18n/translate.ts'
import { LoadingButton } from '../../ui/LoadingButton.tsx'
import { useSnackbar } from '../../ui/use-snackbar.ts'
import { type NewFriend, subscribeToNewFriends } from '../new-friends.ts'

const shownMs = 10_000

/** Everybody who has used the code while the sheet is open, each for ten seconds. */
export function AddedYou() {
  const [added, setAdded] = useState<readonly NewFriend[]>([])

  useEffect(() => {
    const timers = new Map<string, ReturnType<typeof setTimeout>>()
    const remove = (id: string) => setAdded((friends) => friends.filter((friend) => friend.id !== id))
    const unsubscribe = subscribeToNewFriends((event) => {
      if ('removed' in event) return remove(event.removed)
      const { added: friend } = event
      // The same change may be reported twice.
      if (!friend.isTheirRequest || timers.has(friend.id)) return
      timers.set(
        friend.id,
        setTimeout(() => remove(friend.id), shownMs),
      )
      setAdded((friends) => [...friends, friend])
    })
    return () => {
      unsubscribe()
      for (const timer of timers.values()) clearTimeout(timer)
    }
  }, [])

  return (
    <Box role="status" sx={{ width: '100%', display: 'grid', gap: 1, '&:empty': { display: 'none' } }}>
      {added.map((friend) => (
        <Added key={friend.id} friend={friend} />
      ))}
    </Box>
  )
}

function Added({ friend }: { friend: NewFriend }) {
  const removal = useRemoveFriend()
  const { showError } = useSnackbar()
  return (
    <Alert
      severity="success"
      role="presentation"
      action={
        <LoadingButton
          color="inherit"
          size="small"
          isWorking={removal.isPending}
          onClick={() => removal.mutateAsync(friend).catch(() => showError(t('friend-links.code.undoFailed')))}
        >
          {t('friend-links.code.undo')}
        </LoadingButton>
      }
      sx={{ textAlign: 'start', alignItems: 'center' }}
    >
      {t('friend-links.code.added', { name: friend.name })}
    </Alert>
  )
}

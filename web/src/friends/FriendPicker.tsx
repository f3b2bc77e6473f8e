import type { Friend } from '@hither/contract/friends.ts'
import type { UserId } from '@hither/contract/ids.ts'
import SearchRounded from '@mui/icons-material/SearchRounded'
import Box from '@mui/material/Box'
import Checkbox from '@mui/material/Checkbox'
import Chip from '@mui/material/Chip'
import InputAdornment from '@mui/material/InputAdornment'
import List from '@mui/material/List'
import ListItem from '@mui/material/ListItem'
import Radio from '@mui/material/Radio'
import Typography from '@mui/material/Typography'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { t } from '../i18n/translate.ts'
import { usePresenceKnown } from '../realtime/live-status.ts'
import { ErrorAlert } from '../ui/ErrorAlert.tsx'
import { TextField } from '../ui/TextField.tsx'
import { UserAvatar } from '../ui/UserAvatar.tsx'
import { findPeople } from './find-people.ts'
import { friendsQuery } from './friends.api.ts'

interface Props {
  chosen: readonly UserId[]
  /** Friends who are not offered. */
  without?: readonly UserId[]
  /** The accessible name of the list. */
  label: string
  failedText: string
  emptyText: string
  maxHeightPx: number
  /** Whether at most one friend can be chosen. */
  isSingle?: boolean
  /** Returns a hint about a friend, shown before they are chosen. */
  hintOf?: (userId: UserId) => string | null
  onToggle: (userId: UserId) => void
}

/** A friend with the name that others see. */
type NamedFriend = Friend & { name: string }

/** A list of friends with a search field. The chosen ones are shown as chips above it. */
export function FriendPicker({ failedText, without = [], ...props }: Props) {
  const friends = useQuery(friendsQuery())
  if (friends.data !== undefined) {
    const left = new Set<string>(without)
    return <LoadedPicker friends={friends.data.filter(({ user_id }) => !left.has(user_id))} {...props} />
  }
  if (friends.isError) {
    return <ErrorAlert message={failedText} onRetry={() => void friends.refetch()} isRetrying={friends.isFetching} />
  }
  return (
    <Typography role="status" color="textSecondary">
      {t('friends.loading')}
    </Typography>
  )
}

interface LoadedProps extends Omit<Props, 'failedText' | 'without'> {
  friends: readonly Friend[]
}

function LoadedPicker({ friends, chosen, label, emptyText, maxHeightPx, isSingle, hintOf, onToggle }: LoadedProps) {
  const [search, setSearch] = useState('')
  const found = findPeople(friends, search)
  const selected = findPeople(friends, '').filter(({ user_id }) => chosen.includes(user_id))
  return (
    <Box sx={{ display: 'grid', gap: 1.5 }}>
      <ChosenChips friends={selected} onRemove={onToggle} />
      {friends.length > 0 && <SearchField value={search} onChange={setSearch} />}
      <List
        disablePadding
        aria-label={label}
        sx={{ maxHeight: maxHeightPx, overflowY: 'auto', border: 1, borderColor: 'divider', borderRadius: '12px' }}
      >
        {found.length === 0 && (
          <Typography component="li" variant="body2" color="textSecondary" sx={{ p: 2 }}>
            {friends.length === 0 ? emptyText : t('friends.picker.noneFound')}
          </Typography>
        )}
        {found.map((friend) => (
          <FriendRow
            key={friend.user_id}
            friend={friend}
            isChosen={chosen.includes(friend.user_id)}
            isSingle={isSingle === true}
            hint={hintOf?.(friend.user_id) ?? null}
            onToggle={() => onToggle(friend.user_id)}
          />
        ))}
      </List>
    </Box>
  )
}

function ChosenChips({ friends, onRemove }: { friends: readonly NamedFriend[]; onRemove: (userId: UserId) => void }) {
  if (friends.length === 0) return null
  return (
    <Box role="group" aria-label={t('friends.picker.selected')}>
      <Typography variant="body2" color="textSecondary" sx={{ mb: 0.75, fontWeight: 600 }}>
        {t('friends.picker.selected')}
      </Typography>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 0.75, maxHeight: 120, overflowY: 'auto' }}>
        {friends.map(({ user_id, name }) => (
          <Chip
            key={user_id}
            label={name}
            onDelete={() => onRemove(user_id)}
            onClick={() => onRemove(user_id)}
            aria-label={t('friends.picker.unselect', { name })}
          />
        ))}
      </Box>
    </Box>
  )
}

function SearchField({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const icon = (
    <InputAdornment position="start">
      <SearchRounded fontSize="small" />
    </InputAdornment>
  )
  return (
    <TextField
      size="small"
      value={value}
      onChange={(event) => onChange(event.target.value)}
      placeholder={t('friends.picker.search')}
      slotProps={{
        htmlInput: { 'aria-label': t('friends.picker.search'), type: 'search', autoComplete: 'off' },
        input: { startAdornment: icon },
      }}
    />
  )
}

interface RowProps {
  friend: NamedFriend
  isChosen: boolean
  isSingle: boolean
  hint: string | null
  onToggle: () => void
}

function FriendRow({ friend, isChosen, isSingle, hint, onToggle }: RowProps) {
  const { user_id, name, has_image, is_online } = friend
  const isPresenceKnown = usePresenceKnown()
  const Mark = isSingle ? Radio : Checkbox
  return (
    <ListItem disablePadding>
      <Box
        component="label"
        sx={{
          display: 'flex',
          alignItems: 'center',
          gap: 1.5,
          width: '100%',
          minHeight: 48,
          px: 1.5,
          cursor: 'pointer',
        }}
      >
        <UserAvatar
          userId={user_id}
          name={name}
          hasImage={has_image}
          isOnline={isPresenceKnown && is_online}
          size={36}
        />
        <Box sx={{ flex: 1, minWidth: 0 }}>
          <Typography noWrap>
            <bdi>{name}</bdi>
          </Typography>
          {hint !== null && (
            <Typography variant="body2" color="textSecondary" sx={{ fontSize: '0.75rem' }}>
              {hint}
            </Typography>
          )}
        </Box>
        <Mark
          checked={isChosen}
          onChange={onToggle}
          // A checked radio button fires no change event, so it could not be unchecked.
          onClick={() => isSingle && isChosen && onToggle()}
          {...(isSingle && { name: 'friend' })}
        />
      </Box>
    </ListItem>
  )
}

import { type UserId } from '@hither/contract/ids.ts'
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
import { friendsQuery } from '../friends/friends.api.ts'
import { ErrorAlert } from '../ui/ErrorAlert.tsx'
import { TextField } from '../ui/TextField.tsx'
import { UserAvatar } from '../ui/UserAvatar.tsx'
import { chatStrings, newChatStrings } from './strings.ts'

interface Props {
  chosen: readonly UserId[]
  isSingle: boolean
  /** What is to be known about a friend before choosing them. */
  hintOf: (userId: UserId) => string | null
  onToggle: (userId: UserId) => void
}

export function FriendChoice({ chosen, isSingle, hintOf, onToggle }: Props) {
  const friends = useQuery(friendsQuery())
  const [search, setSearch] = useState('')

  if (friends.data === undefined) {
    return friends.isError ? (
      <ErrorAlert
        message={chatStrings.friendsFailed}
        onRetry={() => void friends.refetch()}
        isRetrying={friends.isFetching}
      />
    ) : (
      <Typography role="status" color="textSecondary">
        {newChatStrings.loading}
      </Typography>
    )
  }

  const wanted = search.trim().toLocaleLowerCase()
  const found = friends.data.filter(({ username }) => username.toLocaleLowerCase().includes(wanted))
  const selected = friends.data.filter(({ user_id }) => chosen.includes(user_id))
  const Mark = isSingle ? Radio : Checkbox
  return (
    <Box sx={{ display: 'grid', gap: 1.5 }}>
      {selected.length > 0 && (
        <Box role="group" aria-label={newChatStrings.selected}>
          <Typography variant="body2" color="textSecondary" sx={{ mb: 0.75, fontWeight: 600 }}>
            {newChatStrings.selected}
          </Typography>
          <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 0.75, maxHeight: 120, overflowY: 'auto' }}>
            {selected.map(({ user_id, username }) => (
              <Chip
                key={user_id}
                label={username}
                onDelete={() => onToggle(user_id)}
                onClick={() => onToggle(user_id)}
                aria-label={newChatStrings.unselect(username)}
              />
            ))}
          </Box>
        </Box>
      )}
      {friends.data.length > 0 && (
        <TextField
          size="small"
          value={search}
          onChange={(event) => setSearch(event.target.value)}
          placeholder={newChatStrings.search}
          slotProps={{
            htmlInput: { 'aria-label': newChatStrings.search, type: 'search', autoComplete: 'off' },
            input: {
              startAdornment: (
                <InputAdornment position="start">
                  <SearchRounded fontSize="small" />
                </InputAdornment>
              ),
            },
          }}
        />
      )}
      <List
        disablePadding
        aria-label={newChatStrings.friends}
        sx={{ maxHeight: 280, overflowY: 'auto', border: 1, borderColor: 'divider', borderRadius: '12px' }}
      >
        {found.length === 0 && (
          <Typography component="li" variant="body2" color="textSecondary" sx={{ p: 2 }}>
            {friends.data.length === 0 ? newChatStrings.noFriends : newChatStrings.noneFound}
          </Typography>
        )}
        {found.map(({ user_id, username, has_image, is_online }) => (
          <ListItem key={user_id} disablePadding>
            <Box
              component="label"
              sx={{
                display: 'flex',
                alignItems: 'center',
                gap: 1.5,
                width: '100%',
                minHeight: 56,
                px: 1.5,
                cursor: 'pointer',
              }}
            >
              <UserAvatar userId={user_id} username={username} hasImage={has_image} isOnline={is_online} size={36} />
              <Box sx={{ flex: 1, minWidth: 0 }}>
                <Typography noWrap>{username}</Typography>
                {hintOf(user_id) !== null && (
                  <Typography variant="body2" color="textSecondary" sx={{ fontSize: '0.75rem' }}>
                    {hintOf(user_id)}
                  </Typography>
                )}
              </Box>
              <Mark
                checked={chosen.includes(user_id)}
                onChange={() => onToggle(user_id)}
                // A radio that is on hears no change, and could not be taken back.
                onClick={() => isSingle && chosen.includes(user_id) && onToggle(user_id)}
                {...(isSingle && { name: 'friend' })}
              />
            </Box>
          </ListItem>
        ))}
      </List>
    </Box>
  )
}

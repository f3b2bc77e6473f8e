import { type UserId } from '@hither/contract/ids.ts'
import SearchRounded from '@mui/icons-material/SearchRounded'
import Box from '@mui/material/Box'
import Checkbox from '@mui/material/Checkbox'
import Chip from '@mui/material/Chip'
import FormHelperText from '@mui/material/FormHelperText'
import InputAdornment from '@mui/material/InputAdornment'
import List from '@mui/material/List'
import ListItem from '@mui/material/ListItem'
import Typography from '@mui/material/Typography'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { friendsQuery } from '../friends/friends.api.ts'
import { ErrorAlert } from '../ui/ErrorAlert.tsx'
import { TextField } from '../ui/TextField.tsx'
import { UserAvatar } from '../ui/UserAvatar.tsx'
import { createStrings } from './strings.ts'

interface Props {
  chosen: readonly UserId[]
  error: string | undefined
  onChange: (chosen: UserId[]) => void
}

export function FriendPicker({ chosen, error, onChange }: Props) {
  const friends = useQuery(friendsQuery())
  const [search, setSearch] = useState('')
  const wanted = search.trim().toLocaleLowerCase()
  const found = (friends.data ?? []).filter(({ username }) => username.toLocaleLowerCase().includes(wanted))
  const selected = (friends.data ?? []).filter(({ user_id }) => chosen.includes(user_id))

  function toggle(userId: UserId) {
    onChange(chosen.includes(userId) ? chosen.filter((id) => id !== userId) : [...chosen, userId])
  }

  if (friends.isPending) return <Typography color="textSecondary">{createStrings.friendsLoading}</Typography>
  if (friends.data === undefined) {
    return <ErrorAlert message={createStrings.friendsFailed} onRetry={() => void friends.refetch()} />
  }
  return (
    <Box sx={{ display: 'grid', gap: 1 }}>
      {selected.length > 0 && (
        <Box role="group" aria-label={createStrings.selected} sx={{ display: 'flex', flexWrap: 'wrap', gap: 0.75 }}>
          {selected.map(({ user_id, username }) => (
            <Chip
              key={user_id}
              label={username}
              onDelete={() => toggle(user_id)}
              onClick={() => toggle(user_id)}
              aria-label={createStrings.removeRecipient(username)}
            />
          ))}
        </Box>
      )}
      <TextField
        size="small"
        value={search}
        onChange={(event) => setSearch(event.target.value)}
        placeholder={createStrings.searchFriends}
        slotProps={{
          htmlInput: { 'aria-label': createStrings.searchFriends, type: 'search', autoComplete: 'off' },
          input: {
            startAdornment: (
              <InputAdornment position="start">
                <SearchRounded fontSize="small" />
              </InputAdornment>
            ),
          },
        }}
      />
      <List
        disablePadding
        aria-label={createStrings.selectedFriends}
        sx={{ maxHeight: 150, overflowY: 'auto', border: 1, borderColor: 'divider', borderRadius: '12px' }}
      >
        {found.length === 0 && (
          <Typography component="li" variant="body2" color="textSecondary" sx={{ p: 2 }}>
            {friends.data.length === 0 ? createStrings.noFriends : createStrings.noFriendFound}
          </Typography>
        )}
        {found.map(({ user_id, username, has_image }) => (
          <ListItem key={user_id} disablePadding>
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
              <UserAvatar userId={user_id} username={username} hasImage={has_image} size={32} />
              <Typography noWrap sx={{ flex: 1 }}>
                {username}
              </Typography>
              <Checkbox checked={chosen.includes(user_id)} onChange={() => toggle(user_id)} />
            </Box>
          </ListItem>
        ))}
      </List>
      {error !== undefined && <FormHelperText error>{error}</FormHelperText>}
    </Box>
  )
}

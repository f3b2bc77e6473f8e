import SearchRounded from '@mui/icons-material/SearchRounded'
import InputAdornment from '@mui/material/InputAdornment'
import Stack from '@mui/material/Stack'
import TextField from '@mui/material/TextField'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { useDeferredValue, useState } from 'react'
import { t } from '../../i18n/translate.ts'
import { ToggleChoice } from '../../ui/ToggleChoice.tsx'
import { peopleQuery, type Whom } from '../admin.api.ts'
import { PagedList } from '../PagedList.tsx'
import { PersonCard } from './PersonCard.tsx'

export function PeopleTab() {
  const [text, setText] = useState('')
  const [whom, setWhom] = useState<Whom>('everyone')
  const q = useDeferredValue(text.trim())
  const people = useInfiniteQuery({ ...peopleQuery(q, whom), placeholderData: keepPreviousData })
  return (
    <Stack spacing={2}>
      <TextField
        label={t('admin.search')}
        type="search"
        value={text}
        onChange={(event) => setText(event.target.value)}
        fullWidth
        slotProps={{
          htmlInput: { autoCapitalize: 'none', spellCheck: false, maxLength: 254 },
          input: {
            startAdornment: (
              <InputAdornment position="start">
                <SearchRounded />
              </InputAdornment>
            ),
          },
        }}
      />
      <ToggleChoice
        label={t('admin.whom')}
        options={[
          ['everyone', t('admin.everyone')],
          ['admins', t('admin.admins')],
          ['suspended', t('admin.suspendedPeople')],
        ]}
        value={whom}
        onChange={setWhom}
      />
      <PagedList
        label={t('admin.people')}
        rows={people}
        empty={t('admin.nobody')}
        keyOf={({ id }) => id}
        renderRow={(person) => <PersonCard person={person} />}
      />
    </Stack>
  )
}

// Loaded into a function's process before the function itself. The channel to who started it closes when that ends, even by SIGKILL.

process.once('disconnect', () => process.kill(process.pid, 'SIGKILL'));
// Else nothing but the channel would keep a function from ending.
process.channel?.unref();
